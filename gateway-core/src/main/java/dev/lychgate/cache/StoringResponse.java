package dev.lychgate.cache;

import dev.lychgate.http.BodyFraming;
import dev.lychgate.http.ResponseHead;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/** A response of the origin that is being stored while the client receives it. Used on one event loop. */
final class StoringResponse {
    private final ResponseHead head;
    private final CacheControl directives;
    private final Vary vary;
    private final Freshness freshness;
    private final BodyFill fill;

    /**
     * Begins to store a response.
     *
     * @param response the head of the origin's response; a copy of it is stored
     */
    StoringResponse(
            ResponseHead response,
            CacheControl directives,
            Vary vary,
            Freshness freshness,
            ResponseStore store,
            long maxEntry) {
        this.head = new ResponseHead(
                response.status(), response.reason(), StoredResponse.storable(response.headers(), freshness));
        this.directives = directives;
        this.vary = vary;
        this.freshness = freshness;
        boolean sized = response.framing() == BodyFraming.LENGTH;
        boolean empty = response.framing() == BodyFraming.NONE;
        this.fill = new BodyFill(store, maxEntry, sized ? response.contentLength() : empty ? 0 : -1);
    }

    /**
     * Copies a chunk of the body, without changing or retaining the chunk. Returns false if the response can no longer
     * be stored.
     */
    boolean add(ByteBuf chunk) {
        return fill.add(chunk);
    }

    /** Returns whether the body has exceeded its maximum length. */
    boolean isTooLong() {
        return fill.isTooLong();
    }

    /** Returns the time at which the response head arrived, in nanoseconds of the monotonic clock. */
    long since() {
        return freshness.since();
    }

    /**
     * Ends the copy, and returns the stored response with one reference to its body, which the caller owns. Returns
     * null if the copy of the body is not complete.
     */
    @Nullable
    StoredResponse complete(CacheKey key, @Nullable String tagField) {
        StoredBody body = fill.complete();
        return body == null
                ? null
                : new StoredResponse(
                        key,
                        vary,
                        head.status(),
                        head.reason(),
                        head.headers(),
                        directives,
                        freshness,
                        body,
                        StoredResponse.tags(head.headers(), tagField));
    }

    /** Releases the copied body, unless {@link #complete} has returned the response. May be called more than once. */
    void discard() {
        fill.discard();
    }
}
