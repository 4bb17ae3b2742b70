package dev.lychgate.fuzz;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.lychgate.codec.DecoderLimits;
import dev.lychgate.codec.RequestReader;
import dev.lychgate.codec.RequestSink;
import dev.lychgate.codec.ResponseReader;
import dev.lychgate.codec.ResponseSink;
import dev.lychgate.error.GatewayError;
import dev.lychgate.http.BodyFraming;
import dev.lychgate.http.RequestHead;
import dev.lychgate.http.ResponseHead;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaders;

/**
 * Feeds Lychgate's reader and Netty's decoder with the same bytes in the same chunks: Lychgate's reader must read the same
 * heads, fields and bytes. It may refuse messages that Netty accepts, but may accept none that Netty refuses, and may end none
 * at another byte.
 */
final class DecoderComparison {
    private static final DecoderLimits LIMITS = new DecoderLimits(512, 1024, 70);
    /** Each head makes Lychgate's reader hold the rest until the next chunk has arrived. */
    private static final int PAUSES = 8;

    private static final int TO_HEAD = 1;

    private DecoderComparison() {}

    /**
     * Compares what becomes of a client's bytes.
     *
     * @throws Finding if it is not the same
     */
    static void ofRequests(byte[] fuzzCase) {
        if (fuzzCase.length > 2) {
            CountingAllocator allocator = new CountingAllocator();
            MemoryChannel channel = new MemoryChannel(allocator);
            Reading netty = NettyReading.ofRequests(channel, LIMITS);
            deliver(fuzzCase, channel, allocator);
            ours(fuzzCase).requireWithin(netty);
        }
    }

    /**
     * Compares what becomes of an origin's bytes.
     *
     * @throws Finding if it is not the same
     */
    static void ofAnswers(byte[] fuzzCase) {
        if (fuzzCase.length > 2) {
            boolean toHead = (fuzzCase[1] & TO_HEAD) != 0;
            CountingAllocator allocator = new CountingAllocator();
            MemoryChannel channel = new MemoryChannel(allocator);
            Reading netty = NettyReading.ofResponses(channel, LIMITS, toHead);
            deliver(fuzzCase, channel, allocator);
            ours(fuzzCase, toHead).requireWithin(netty);
        }
    }

    private static Reading ours(byte[] fuzzCase) {
        CountingAllocator allocator = new CountingAllocator();
        MemoryChannel channel = new MemoryChannel(allocator);
        Ours ours = new Ours();
        RequestReader source = RequestReader.on(channel.pipeline(), LIMITS, false, ours);
        boolean pauses = (fuzzCase[0] & PAUSES) != 0;
        ours.onHead = pauses ? source::pause : () -> {};
        Delivery delivery = Delivery.of(fuzzCase);
        while (!delivery.isOver()) {
            delivery.sendTo(channel);
            source.resume();
        }
        // Each head that was held back holds back the next one.
        for (int i = 0; pauses && i < fuzzCase.length && source.resume(); i++) {
            channel.runPendingTasks();
        }
        close(channel, allocator);
        return ours.reading;
    }

    private static Reading ours(byte[] fuzzCase, boolean toHead) {
        CountingAllocator allocator = new CountingAllocator();
        MemoryChannel channel = new MemoryChannel(allocator);
        Ours ours = new Ours();
        ResponseReader source = ResponseReader.on(channel.pipeline(), LIMITS, ours);
        ours.onEnd = () -> source.expect(toHead);
        source.expect(toHead);
        deliver(fuzzCase, channel, allocator);
        return ours.reading;
    }

    private static void deliver(byte[] fuzzCase, MemoryChannel channel, CountingAllocator allocator) {
        Delivery delivery = Delivery.of(fuzzCase);
        while (!delivery.isOver()) {
            delivery.sendTo(channel);
        }
        close(channel, allocator);
    }

    private static void close(MemoryChannel channel, CountingAllocator allocator) {
        channel.peerCloses();
        channel.finishAndReleaseAll();
        Finding.unless(allocator.held() == 0, "%d bytes of buffers are still held", allocator.held());
    }

    /** The result of our reader. */
    private static final class Ours implements RequestSink, ResponseSink {
        final Reading reading = new Reading();
        Runnable onHead = () -> {};
        Runnable onEnd = () -> {};

        @Override
        public void onRequestHead(RequestHead head, boolean persistent) {
            String target = head.rawPath() + (head.query() == null ? "" : "?" + head.query());
            String framing = framing(head.framing(), head.contentLength());
            reading.request(head.method().name(), target, head.isHttp10(), framing, persistent, head.headers());
            onHead.run();
        }

        @Override
        public void onResponseHead(ResponseHead head, boolean persistent) {
            String framing = framing(head.framing(), head.contentLength());
            reading.response(head.status(), head.reason(), framing, persistent, head.headers());
        }

        private static String framing(BodyFraming framing, long length) {
            return framing + (framing == BodyFraming.LENGTH ? String.valueOf(length) : "");
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
            reading.body(chunk.toString(ISO_8859_1));
            chunk.release();
        }

        @Override
        public void onRequestEnd(HttpHeaders trailers) {
            reading.end(trailers);
        }

        @Override
        public void onResponseEnd(HttpHeaders trailers, boolean surplus) {
            reading.end(trailers);
            onEnd.run();
        }

        @Override
        public void onRequestMalformed(GatewayError error) {
            reading.refused();
        }

        @Override
        public void onResponseMalformed(String detail) {
            reading.refused();
        }

        @Override
        public void onUnsolicitedBytes() {
            reading.refused();
        }
    }
}
