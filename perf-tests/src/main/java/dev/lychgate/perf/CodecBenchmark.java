package dev.lychgate.perf;

import dev.lychgate.codec.DecoderLimits;
import dev.lychgate.codec.MessageWriter;
import dev.lychgate.codec.RequestReader;
import dev.lychgate.codec.RequestSink;
import dev.lychgate.codec.ResponseReader;
import dev.lychgate.codec.ResponseSink;
import dev.lychgate.error.GatewayError;
import dev.lychgate.http.ForwardingHeaders;
import dev.lychgate.http.RequestHead;
import dev.lychgate.http.ResponseHead;
import dev.lychgate.http.Via;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.HttpHeaders;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * A message from its received bytes to its sent bytes: it is read, checked as in the gateway, edited if {@code edited}
 * is true, and written. The channels are in memory.
 */
@Warmup(iterations = 10, time = 1)
public class CodecBenchmark extends NanosecondBenchmark implements RequestSink, ResponseSink {
    /** A browser's request: 481 bytes, 11 fields. */
    private static final String REQUEST = "GET /api/items/4711?fields=name,price HTTP/1.1\r\n"
            + "Host: shop.example.com\r\n"
            + "User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0\r\n"
            + "Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8\r\n"
            + "Accept-Language: en-US,en;q=0.5\r\n"
            + "Accept-Encoding: gzip, deflate, br\r\n"
            + "Connection: keep-alive\r\n"
            + "Cookie: session=5f0c2d6e9b1a4c7e8d3f; theme=dark\r\n"
            + "Cache-Control: max-age=0\r\n"
            + "Sec-Fetch-Dest: document\r\n"
            + "Sec-Fetch-Mode: navigate\r\n"
            + "Sec-Fetch-Site: same-origin\r\n\r\n";

    /** 7 fields and 200 bytes. */
    private static final String RESPONSE = "HTTP/1.1 200 OK\r\n"
            + "Server: origin\r\n"
            + "Date: Sat, 21 Nov 2026 10:00:00 GMT\r\n"
            + "Content-Type: application/json\r\n"
            + "Content-Length: 200\r\n"
            + "Connection: keep-alive\r\n"
            + "ETag: \"65f1c0de-c8\"\r\n"
            + "Cache-Control: no-store\r\n\r\n"
            + "x".repeat(200);

    /**
     * Whether messages are edited as by filters: one field is removed and one is replaced. A request also gets the
     * forwarding fields.
     */
    @Param({"false", "true"})
    boolean edited;

    private final ByteBuf request = Unpooled.directBuffer().writeBytes(REQUEST.getBytes(StandardCharsets.US_ASCII));
    private final ByteBuf response = Unpooled.directBuffer().writeBytes(RESPONSE.getBytes(StandardCharsets.US_ASCII));
    private final EmbeddedChannel client = new EmbeddedChannel();
    private final EmbeddedChannel origin = new EmbeddedChannel();
    private final ForwardingHeaders forwarding =
            new ForwardingHeaders(InetAddress.getLoopbackAddress(), 80, new Via("benchmark"));
    private final EmbeddedChannel out = new EmbeddedChannel(new ChannelInboundHandlerAdapter());
    private final MessageWriter writer = new MessageWriter(out.pipeline().firstContext());
    private @Nullable ResponseReader responses;
    private @Nullable GatewayError fault;

    /** Installs the decoders, and checks that the output equals the input. */
    @Setup
    public void open() {
        client.config().setAllocator(PooledByteBufAllocator.DEFAULT);
        origin.config().setAllocator(PooledByteBufAllocator.DEFAULT);
        out.config().setAllocator(PooledByteBufAllocator.DEFAULT);
        RequestReader.on(client.pipeline(), DecoderLimits.ORIGIN, false, this);
        responses = ResponseReader.on(origin.pipeline(), DecoderLimits.ORIGIN, this);
        if (request() < 400 || response() < 300 || fault != null) {
            throw new IllegalStateException("it was not passed on whole: " + fault);
        }
    }

    /** Releases the buffers of the channels. */
    @TearDown
    public void close() {
        writer.release();
        out.finishAndReleaseAll();
        client.finishAndReleaseAll();
        origin.finishAndReleaseAll();
    }

    /**
     * One request.
     *
     * @return the bytes that were written
     */
    @Benchmark
    public int request() {
        client.writeInbound(request.retainedDuplicate());
        return written();
    }

    /**
     * One response.
     *
     * @return the written bytes
     */
    @Benchmark
    public int response() {
        ResponseReader source = responses;
        if (source == null) {
            throw new IllegalStateException("not set up");
        }
        source.expect(false);
        origin.writeInbound(response.retainedDuplicate());
        return written();
    }

    private int written() {
        int bytes = 0;
        for (ByteBuf piece = out.readOutbound(); piece != null; piece = out.readOutbound()) {
            bytes += piece.readableBytes();
            piece.release();
        }
        return bytes;
    }

    // ---- what the decoders tell

    @Override
    public void onRequestHead(RequestHead head, boolean persistent) {
        if (edited) {
            forwarding.apply(head, "0123456789abcdef");
            head.headers().remove("Cookie");
            head.headers().set("Accept-Language", "en");
        }
        writer.request(head, head.path());
    }

    @Override
    public void onRequestBody(ByteBuf chunk) {
        writer.body(chunk);
    }

    @Override
    public void onRequestEnd(HttpHeaders trailers) {
        writer.end(trailers);
        writer.flush();
    }

    @Override
    public void onRequestMalformed(GatewayError error) {
        fault = error;
    }

    @Override
    public void onResponseHead(ResponseHead head, boolean persistent) {
        if (edited) {
            head.headers().remove("Server");
            head.headers().set("Cache-Control", "private");
        }
        writer.response(head, head.framing(), null);
    }

    @Override
    public void onResponseBody(ByteBuf chunk) {
        writer.body(chunk);
    }

    @Override
    public void onResponseEnd(HttpHeaders trailers, boolean surplus) {
        writer.end(trailers);
        writer.flush();
    }

    @Override
    public void onResponseMalformed(String detail) {
        throw new IllegalStateException(detail);
    }

    @Override
    public void onUnsolicitedBytes() {
        throw new IllegalStateException("a response without a request");
    }
}
