package dev.lychgate.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lychgate.http.BodyFraming;
import dev.lychgate.http.RequestHead;
import dev.lychgate.http.ResponseHead;
import dev.lychgate.testing.Rfc;
import dev.lychgate.testing.ScarceAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpMethod;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The written bytes and buffers, one by one. */
@Tag("slow")
class MessageWriterTest {
    private final EmbeddedChannel channel = new EmbeddedChannel(new ChannelInboundHandlerAdapter());
    private final MessageWriter writer = new MessageWriter(channel.pipeline().firstContext());
    private final List<ByteBuf> given = new ArrayList<>();

    @AfterEach
    void everyPieceIsLetGo() {
        writer.release();
        channel.finishAndReleaseAll();
        assertThat(given).allMatch(piece -> piece.refCnt() == 0);
    }

    private ByteBuf piece(int length) {
        ByteBuf piece = PooledByteBufAllocator.DEFAULT.directBuffer(Math.max(1, length));
        piece.writeBytes("x".repeat(length).getBytes(StandardCharsets.US_ASCII));
        given.add(piece);
        return piece;
    }

    private void head(BodyFraming framing, long length) {
        ResponseHead head = new ResponseHead(200, "OK", new DefaultHttpHeaders().add("A", "1"));
        head.frame(framing, length);
        writer.response(head, framing, null);
    }

    /** The buffers on the wire so far, as text. */
    private List<String> sent() {
        List<String> texts = new ArrayList<>();
        for (ByteBuf b = channel.readOutbound(); b != null; b = channel.readOutbound()) {
            texts.add(b.toString(StandardCharsets.ISO_8859_1));
            b.release();
        }
        return texts;
    }

    private String sentAsOne() {
        return String.join("", sent());
    }

    /** All memory is refused from here on. */
    private void refuseMemory() {
        channel.config().setAllocator(new ScarceAllocator().leave(0));
    }

    private void assertRefused() {
        assertThatThrownBy(() -> {
                    channel.runPendingTasks();
                    channel.checkException();
                })
                .isInstanceOf(OutOfMemoryError.class);
    }

    @Test
    @Rfc("9110, 15.6.4")
    void sends503InsteadOfAResponseWithoutMemory() {
        for (int length : new int[] {5, 10_000}) {
            MessageWriter own = new MessageWriter(channel.pipeline().firstContext());
            refuseMemory();
            ResponseHead head = new ResponseHead(200, "OK", new DefaultHttpHeaders().add("A", "1"));
            head.frame(BodyFraming.LENGTH, length);
            own.response(head, BodyFraming.LENGTH, null);
            own.body(piece(length));
            own.end(EmptyHttpHeaders.INSTANCE);
            own.flush();
            assertThat(sentAsOne())
                    .startsWith("HTTP/1.1 503 Service Unavailable\r\n")
                    .contains("\r\ncontent-length: 0\r\nconnection: close\r\n")
                    .endsWith("\r\n\r\n");
            assertRefused();
            own.release();
        }
    }

    @Test
    @Rfc("9112, 8")
    void sendsNothingAfterAChunkWithoutMemoryForItsHead() {
        head(BodyFraming.CHUNKED, 0);
        writer.flush();
        assertThat(sentAsOne()).endsWith("\r\n\r\n");
        refuseMemory();
        writer.body(piece(10_000));
        writer.body(piece(5));
        writer.end(EmptyHttpHeaders.INSTANCE);
        writer.flush();
        assertThat(sent()).isEmpty();
        assertRefused();
    }

    @Test
    @Rfc("9112, 2.2")
    void sendsNothingInsteadOfARequestWithoutMemory() {
        refuseMemory();
        RequestHead request = new RequestHead(HttpMethod.GET, false, "/", null, "a", new DefaultHttpHeaders());
        writer.request(request, "/");
        writer.flush();
        assertThat(sent()).isEmpty();
        assertRefused();
    }

    @Test
    void aHeadWithASmallBodyIsOneBuffer() {
        head(BodyFraming.LENGTH, 5);
        writer.body(piece(5));
        writer.end(EmptyHttpHeaders.INSTANCE);
        assertThat(sent()).isEmpty();
        writer.flush();
        assertThat(sent()).containsExactly("HTTP/1.1 200 OK\r\nA: 1\r\ncontent-length: 5\r\n\r\nxxxxx");
    }

    @Test
    void aLargePieceIsPassedOnWithoutACopy() {
        head(BodyFraming.LENGTH, 5000);
        ByteBuf large = piece(5000);
        writer.body(large);
        writer.flush();
        channel.<ByteBuf>readOutbound().release();
        ByteBuf second = channel.readOutbound();
        assertThat(second).isSameAs(large);
        second.release();
    }

    @Test
    void tinyPiecesAreQueuedAsFewBuffers() {
        head(BodyFraming.CHUNKED, 0);
        for (int i = 0; i < 10_000; i++) {
            writer.body(piece(1));
        }
        writer.end(EmptyHttpHeaders.INSTANCE);
        writer.flush();
        List<String> sent = sent();
        assertThat(sent).hasSizeLessThan(20);
        assertThat(String.join("", sent)).endsWith("1\r\nx\r\n1\r\nx\r\n0\r\n\r\n");
    }

    @Test
    void holdsUnreadBytesInBuffersOfTheirSize() throws Exception {
        ChannelInboundHandlerAdapter quiet = new ChannelInboundHandlerAdapter() {
            @Override
            public void exceptionCaught(ChannelHandlerContext ctx, Throwable unsentAtTheEnd) {}
        };
        EmbeddedChannel stalled = new EmbeddedChannel(quiet) {
            @Override
            protected void doWrite(ChannelOutboundBuffer all) {
                // The peer does not read.
            }
        };
        MessageWriter toStalled = new MessageWriter(stalled.pipeline().firstContext());
        toStalled.becomeTunnel();
        for (int i = 0; i < 100; i++) {
            toStalled.body(piece(10));
            toStalled.flush();
        }
        List<Integer> held = new ArrayList<>();
        stalled.unsafe().outboundBuffer().forEachFlushedMessage(message -> {
            held.add(((ByteBuf) message).capacity());
            return true;
        });
        assertThat(held).hasSize(100);
        assertThat(held.stream().mapToInt(Integer::intValue).sum()).isLessThan(16 << 10);
        stalled.close();
        toStalled.release();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 9, 15, 16, 255, 256, 4095, 4096, 4097, 65_535, 65_536, 1_048_576})
    @Rfc("9112, 7.1")
    void aChunkSaysItsSizeInHexadecimal(int length) {
        head(BodyFraming.CHUNKED, 0);
        writer.body(piece(length));
        writer.end(EmptyHttpHeaders.INSTANCE);
        writer.flush();
        String sent = sentAsOne();
        String body = sent.substring(sent.indexOf("\r\n\r\n") + 4);
        assertThat(body).isEqualTo(Integer.toHexString(length) + "\r\n" + "x".repeat(length) + "\r\n0\r\n\r\n");
    }

    @Test
    @Rfc("9112, 7.1")
    void anEmptyPieceIsNotTheLastChunk() {
        head(BodyFraming.CHUNKED, 0);
        writer.body(piece(0));
        writer.body(piece(1));
        writer.flush();
        assertThat(sentAsOne()).endsWith("\r\n\r\n1\r\nx\r\n");
    }

    @Test
    @Rfc({"9112, 7.1.2", "9110, 6.5.1"})
    void trailersAreSentWhereTheFramingCanCarryThem() {
        head(BodyFraming.CHUNKED, 0);
        writer.end(new DefaultHttpHeaders().add("T", "1"));
        head(BodyFraming.LENGTH, 0);
        writer.end(new DefaultHttpHeaders().add("T", "2"));
        writer.flush();
        assertThat(sentAsOne()).contains("\r\n\r\n0\r\nT: 1\r\n\r\nHTTP/1.1").doesNotContain("T: 2");
    }

    @Test
    @Rfc({"9112, 6.3", "9112, 4"})
    void aBodyThatEndsWithTheConnectionHasNoFraming() {
        ResponseHead head = new ResponseHead(200, "", EmptyHttpHeaders.INSTANCE);
        writer.response(head, BodyFraming.UNTIL_CLOSE, HttpHeaderValues.CLOSE);
        writer.body(piece(2));
        writer.end(EmptyHttpHeaders.INSTANCE);
        writer.flush();
        assertThat(sentAsOne()).isEqualTo("HTTP/1.1 200 \r\nconnection: close\r\n\r\nxx");
    }

    @Test
    @Rfc({"9112, 3", "9112, 6.2"})
    void aRequestSaysMethodPathQueryAndFraming() {
        RequestHead head = new RequestHead(
                HttpMethod.valueOf("PROPFIND"), true, "/raw", "a=%20", "h", new DefaultHttpHeaders().add("Host", "h"));
        head.frame(BodyFraming.LENGTH, Long.MAX_VALUE);
        writer.request(head, "/path");
        writer.flush();
        assertThat(sentAsOne())
                .isEqualTo("PROPFIND /path?a=%20 HTTP/1.1\r\nHost: h\r\ncontent-length: 9223372036854775807\r\n\r\n");
    }

    @Test
    void aCharacterThatIsNoByteBecomesAQuestionMark() {
        writer.response(new ResponseHead(200, "\u4e2d\u00e4", EmptyHttpHeaders.INSTANCE), BodyFraming.NONE, null);
        writer.flush();
        assertThat(sentAsOne()).isEqualTo("HTTP/1.1 200 ?\u00e4\r\n\r\n");
    }

    @Test
    void doesNotFlushWithoutAWrite() {
        writer.flush();
        assertThat(sent()).isEmpty();
    }

    /** Small chunks are copied: the copy of an earlier write has no owner any more, and leak detection would report it. */
    @Test
    void releasesWritesToAClosedConnection() {
        MessageWriter late = new MessageWriter(channel.pipeline().firstContext());
        channel.close();
        late.release();
        ResponseHead head = new ResponseHead(200, "OK", EmptyHttpHeaders.INSTANCE);
        head.frame(BodyFraming.CHUNKED, 0);
        late.response(head, BodyFraming.CHUNKED, null);
        late.body(piece(5));
        late.body(piece(5000));
        late.end(EmptyHttpHeaders.INSTANCE);
        assertThat(given).allMatch(piece -> piece.refCnt() == 0);
    }
}
