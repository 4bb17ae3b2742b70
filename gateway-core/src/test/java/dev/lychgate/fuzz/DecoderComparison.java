package dev.lychgate.fuzz;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.lychgate.codec.DecoderLimits;
import dev.lychgate.codec.Http1Codec;
import dev.lychgate.codec.RequestSink;
import dev.lychgate.codec.RequestSource;
import dev.lychgate.codec.ResponseSink;
import dev.lychgate.codec.ResponseSource;
import dev.lychgate.config.Codec;
import dev.lychgate.error.GatewayError;
import dev.lychgate.http.RequestHead;
import dev.lychgate.http.ResponseHead;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The same bytes, in the same pieces, to both codecs: what our own one makes of them must be what Netty's makes of them, head
 * for head, field for field and byte for byte. It may take nothing that Netty does not take, and end nothing elsewhere.
 */
final class DecoderComparison {
    private static final DecoderLimits LIMITS = new DecoderLimits(512, 1024, 70);
    /** Whoever hears a head has the rest held back until the next piece has come. */
    private static final int PAUSES = 8;

    private static final int TO_HEAD = 1;

    private DecoderComparison() {}

    /** Compares what becomes of a client's bytes. @throws Finding if it is not the same */
    static void ofRequests(byte[] fuzzCase) {
        if (fuzzCase.length > 2) {
            same(requests(Codec.FLAT, fuzzCase), requests(Codec.NETTY, fuzzCase));
        }
    }

    /** Compares what becomes of an origin's bytes. @throws Finding if it is not the same */
    static void ofAnswers(byte[] fuzzCase) {
        if (fuzzCase.length > 2) {
            same(answers(Codec.FLAT, fuzzCase), answers(Codec.NETTY, fuzzCase));
        }
    }

    private static void same(List<String> flat, List<String> netty) {
        Finding.unless(flat.equals(netty), "flat heard %s where netty heard %s", flat, netty);
    }

    private static List<String> requests(Codec codec, byte[] fuzzCase) {
        CountingAllocator allocator = new CountingAllocator();
        MemoryChannel channel = new MemoryChannel(allocator);
        Heard heard = new Heard();
        RequestSource source = Http1Codec.of(codec).readRequests(channel.pipeline(), LIMITS, false, heard);
        boolean pauses = (fuzzCase[0] & PAUSES) != 0;
        heard.onHead = pauses ? source::pause : () -> {};
        heard.key = source::webSocketKey;
        Delivery delivery = Delivery.of(fuzzCase);
        while (!delivery.isOver()) {
            delivery.sendTo(channel);
            source.resume();
        }
        // Each head that was held back holds back the next one.
        for (int i = 0; pauses && i < fuzzCase.length && source.resume(); i++) {
            channel.runPendingTasks();
        }
        heard.words.add("left " + source.buffered());
        return end(channel, allocator, heard);
    }

    private static List<String> answers(Codec codec, byte[] fuzzCase) {
        CountingAllocator allocator = new CountingAllocator();
        MemoryChannel channel = new MemoryChannel(allocator);
        Heard heard = new Heard();
        ResponseSource source = Http1Codec.of(codec).readResponses(channel.pipeline(), LIMITS, heard);
        boolean toHead = (fuzzCase[1] & TO_HEAD) != 0;
        heard.onEnd = () -> source.expect(toHead);
        source.expect(toHead);
        Delivery delivery = Delivery.of(fuzzCase);
        while (!delivery.isOver()) {
            delivery.sendTo(channel);
        }
        return end(channel, allocator, heard);
    }

    private static List<String> end(MemoryChannel channel, CountingAllocator allocator, Heard heard) {
        channel.peerCloses();
        channel.finishAndReleaseAll();
        Finding.unless(allocator.held() == 0, "%d bytes of buffers are still held", allocator.held());
        return heard.words;
    }

    /** Puts all that it hears into words; pieces of a body into one. */
    private static final class Heard implements RequestSink, ResponseSink {
        final List<String> words = new ArrayList<>();
        Runnable onHead = () -> {};
        Runnable onEnd = () -> {};
        Supplier<@Nullable String> key = () -> "";

        @Override
        public void onRequestHead(RequestHead head, boolean persistent) {
            words.add(head.method() + " " + head.rawPath() + "?" + head.query() + " " + head.version() + " "
                    + head.host() + " " + head.framing() + head.contentLength() + " " + persistent + " "
                    + head.mayHaveForwardingFields() + (head.protocol() == null ? "" : head.protocol() + key.get())
                    + fields(head.headers()));
            onHead.run();
        }

        @Override
        public void onResponseHead(ResponseHead head, boolean persistent) {
            words.add(head.status() + " " + head.reason() + " " + head.framing() + head.contentLength() + " "
                    + persistent + fields(head.headers()));
        }

        private static List<String> fields(HttpHeaders headers) {
            List<String> fields = new ArrayList<>();
            for (Map.Entry<String, String> field : headers.entries()) {
                fields.add(field.getKey() + "=" + field.getValue());
            }
            return fields;
        }

        @Override
        public void onRequestBody(ByteBuf chunk) {
            body(chunk);
        }

        @Override
        public void onResponseBody(ByteBuf chunk) {
            body(chunk);
        }

        private void body(ByteBuf chunk) {
            String text = chunk.toString(ISO_8859_1);
            chunk.release();
            int last = words.size() - 1;
            if (words.get(last).startsWith("body ")) {
                words.set(last, words.get(last) + text);
            } else {
                words.add("body " + text);
            }
        }

        @Override
        public void onRequestEnd(HttpHeaders trailers) {
            words.add("end " + fields(trailers));
        }

        @Override
        public void onResponseEnd(HttpHeaders trailers, boolean surplus) {
            words.add("end " + surplus + fields(trailers));
            onEnd.run();
        }

        @Override
        public void onRequestMalformed(GatewayError error) {
            words.add("malformed " + error.kind() + error.detail());
        }

        @Override
        public void onResponseMalformed(String detail) {
            words.add("malformed " + detail);
        }

        @Override
        public void onUnsolicitedBytes() {
            words.add("unsolicited");
        }
    }
}
