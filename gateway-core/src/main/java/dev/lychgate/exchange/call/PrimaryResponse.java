package dev.lychgate.exchange.call;

import dev.lychgate.origin.ResponseBodyListener;
import dev.lychgate.splice.SplicedPiece;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaders;

/** Copies the body of the primary response on its way to the relay. */
record PrimaryResponse(Mirror mirror, ResponseBodyListener relay) implements ResponseBodyListener {
    @Override
    public void onResponseBody(ByteBuf chunk) {
        mirror.onPrimaryChunk(chunk);
        relay.onResponseBody(chunk);
    }

    @Override
    public void onResponseBody(SplicedPiece chunk) {
        relay.onResponseBody(chunk);
    }

    @Override
    public void onResponseEnd(HttpHeaders trailers) {
        mirror.onPrimaryEnd();
        relay.onResponseEnd(trailers);
    }

    @Override
    public void onOriginReadComplete() {
        relay.onOriginReadComplete();
    }
}
