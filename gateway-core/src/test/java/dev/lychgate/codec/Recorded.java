package dev.lychgate.codec;

import dev.lychgate.error.GatewayError;
import dev.lychgate.http.BodyFraming;
import dev.lychgate.http.RequestHead;
import dev.lychgate.http.ResponseHead;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A sink of both decoders that records events as text. */
final class Recorded implements RequestSink, ResponseSink {
    final List<String> told = new ArrayList<>();
    /** Done after each thing told: where a test pauses or resumes. */
    Runnable afterHead = () -> {};

    Runnable afterEnd = () -> {};

    private static String framing(BodyFraming framing, long length) {
        return framing == BodyFraming.LENGTH ? "LENGTH=" + length : framing.toString();
    }

    @Override
    public void onRequestHead(RequestHead head, boolean persistent) {
        told.add(head.method() + " " + head.path() + " " + framing(head.framing(), head.contentLength())
                + (persistent ? "" : " close"));
        afterHead.run();
    }

    @Override
    public void onRequestBody(ByteBuf chunk) {
        body(chunk);
    }

    @Override
    public void onRequestEnd(HttpHeaders trailers) {
        told.add("end" + (trailers.isEmpty() ? "" : " " + trailers.names()));
        afterEnd.run();
    }

    @Override
    public void onRequestMalformed(GatewayError error) {
        told.add("malformed " + error.kind().label());
    }

    @Override
    public void onResponseHead(ResponseHead head, boolean persistent) {
        told.add(head.status() + " " + framing(head.framing(), head.contentLength()) + (persistent ? "" : " close"));
        afterHead.run();
    }

    @Override
    public void onResponseBody(ByteBuf chunk) {
        body(chunk);
    }

    @Override
    public void onResponseEnd(HttpHeaders trailers, boolean surplus) {
        told.add("end" + (trailers.isEmpty() ? "" : " " + trailers.names()) + (surplus ? " surplus" : ""));
        afterEnd.run();
    }

    @Override
    public void onResponseMalformed(String detail) {
        told.add("malformed");
    }

    @Override
    public void onUnsolicitedBytes() {
        told.add("unsolicited");
    }

    private void body(ByteBuf chunk) {
        told.add("'" + chunk.toString(StandardCharsets.US_ASCII) + "'");
        chunk.release();
    }
}
