package dev.lychgate.health;

import dev.lychgate.http.RequestHead;
import dev.lychgate.http.ResponseHead;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.codec.http.HttpHeaders;
import org.jspecify.annotations.Nullable;

/** What one check asks, and what it thinks of the answer; for one request. Lives on an event loop. */
interface Inquiry {
    /** What a check has found. @param fault what was wrong; null = nothing */
    record Verdict(@Nullable String fault) {
        static final Verdict GOOD = new Verdict(null);

        static Verdict bad(String fault) {
            return new Verdict(fault);
        }
    }

    RequestHead head();

    /** What follows the head; null = nothing. Whoever asks owns it. */
    @Nullable
    ByteBuf body(ByteBufAllocator allocator);

    /** @return null if the rest of the answer has to be seen */
    @Nullable
    Verdict onHead(ResponseHead head);

    /** @param piece of the body, only to be looked at; @return null if the rest of the answer has to be seen */
    @Nullable
    Verdict onBody(ByteBuf piece);

    Verdict onEnd(HttpHeaders trailers);
}
