package dev.lychgate.exchange.call;

import dev.lychgate.origin.ResponseBodyListener;
import dev.lychgate.splice.SplicedPiece;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.function.Consumer;

/**
 * Reports the body of an origin's response to an observer and passes it to the relay. Spliced chunks are not reported.
 *
 * @param chunks receives each chunk, and must neither change nor retain it
 * @param end runs when the body is complete
 * @param relay owns the chunks
 */
public record ObservedBody(Consumer<ByteBuf> chunks, Runnable end, ResponseBodyListener relay)
        implements ResponseBodyListener {
    @Override
    public void onResponseBody(ByteBuf chunk) {
        chunks.accept(chunk);
        relay.onResponseBody(chunk);
    }

    @Override
    public void onResponseBody(SplicedPiece chunk) {
        relay.onResponseBody(chunk);
    }

    @Override
    public void onResponseEnd(HttpHeaders trailers) {
        end.run();
        relay.onResponseEnd(trailers);
    }

    @Override
    public void onOriginReadComplete() {
        relay.onOriginReadComplete();
    }
}
