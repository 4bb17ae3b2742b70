package dev.lychgate.health;

import dev.lychgate.http.RequestHead;
import dev.lychgate.http.ResponseHead;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.codec.http.HttpHeaders;
import org.jspecify.annotations.Nullable;

/** Creates the request of one health check, and evaluates the response. Used for one request, on an event loop. */
interface Inquiry {
    /**
     * Result of a check.
     *
     * @param fault the reason why the endpoint is unhealthy; null if it is healthy
     */
    record Verdict(@Nullable String fault) {
        static final Verdict GOOD = new Verdict(null);
    }

    RequestHead head();

    /** Returns the request body, which the caller owns; null if the request has no body. */
    @Nullable
    ByteBuf body(ByteBufAllocator allocator);

    /**
     * Evaluates the response head.
     *
     * @return the verdict; null if it depends on the rest of the response
     */
    @Nullable
    Verdict onHead(ResponseHead head);

    /**
     * Evaluates a chunk of the response body.
     *
     * @param piece a chunk of the body, read-only
     * @return the verdict; null if it depends on the rest of the response
     */
    @Nullable
    Verdict onBody(ByteBuf piece);

    Verdict onEnd(HttpHeaders trailers);
}
