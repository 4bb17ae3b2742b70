package dev.lychgate.codec;

import dev.lychgate.error.GatewayError;
import dev.lychgate.http.RequestHead;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaders;

/**
 * Takes what a decoder reads from a client, on the connection's event loop: a head, then pieces of body, then the end;
 * or, at any point, the news that the rest is not HTTP, after which nothing comes any more.
 */
public interface RequestSink {
    /**
     * A whole, valid head, free of hop-by-hop fields; its framing is set. A request without a body gets
     * {@link #onRequestEnd} as well.
     *
     * @param persistent whether the client means to use the connection again
     */
    void onRequestHead(RequestHead head, boolean persistent);

    /** A piece of the body; the sink owns {@code chunk} from here on. */
    void onRequestBody(ByteBuf chunk);

    /** The end of the request. @param trailers the trailer section, empty if there was none */
    void onRequestEnd(HttpHeaders trailers);

    /** The bytes can't be read as a request, or must not be. */
    void onRequestMalformed(GatewayError error);
}
