package dev.lychgate.cache;

import dev.lychgate.http.RequestHead;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a request that the cache evaluates: its key, its cache directives, its conditions, and the fields that
 * select a response.
 */
final class CacheRequest {
    final CacheKey key;
    final HttpMethod method;
    final String path;
    /** The directives of the client; null if the route ignores them. */
    final @Nullable CacheControl directives;

    /**
     * The header fields that the client sent. Before the call of {@link #copyFields}, this is the header object of the
     * request itself.
     */
    private HttpHeaders fields;

    private boolean copied;

    CacheRequest(CachePolicy policy, CacheKey key, RequestHead head) {
        this.key = key;
        this.method = head.method();
        this.path = head.path();
        this.fields = head.headers();
        this.directives = policy.obeysClients() ? directives(head.headers()) : null;
    }

    /**
     * Returns the directives of a request. {@code Pragma: no-cache} is ignored if {@code Cache-Control} is present (RFC
     * 9111, 5.4).
     */
    private static CacheControl directives(HttpHeaders headers) {
        List<String> values = headers.getAll(HttpHeaderNames.CACHE_CONTROL);
        return CacheControl.parse(values.isEmpty() ? headers.getAll(HttpHeaderNames.PRAGMA) : values);
    }

    /**
     * Copies the header fields of the client's request. The copy serves to select the stored response, because later
     * steps change the original fields.
     */
    void copyFields() {
        if (!copied) {
            copied = true;
            fields = fields.copy();
        }
    }

    HttpHeaders fields() {
        return fields;
    }

    boolean isGet() {
        return method.equals(HttpMethod.GET);
    }

    boolean isOnlyIfCached() {
        return directives != null && directives.onlyIfCached();
    }

    boolean isNoCache() {
        return directives != null && directives.noCache();
    }

    /** Returns whether the client limits the age of the response, or requires a minimum remaining lifetime. */
    boolean wantsFresh() {
        return directives != null
                && (directives.maxAge() != CacheControl.ABSENT || directives.minFresh() != CacheControl.ABSENT);
    }

    /** Returns whether this client accepts the response to another request. */
    boolean acceptsSharedResponse() {
        return isGet() && !(directives != null && wantsOwnResponse(directives)) && !RequestConditions.areIn(fields);
    }

    private static boolean wantsOwnResponse(CacheControl directives) {
        return directives.noStore() || directives.noCache() || directives.maxAge() != CacheControl.ABSENT;
    }

    /** Returns whether the client accepts {@code stored}, which has been stale for {@code late} seconds. */
    boolean acceptsStale(StoredResponse stored, long late, long now) {
        return directives != null
                && directives.maxStale() != CacheControl.ABSENT
                && late <= permitted(stored, directives.maxStale())
                && (directives.maxAge() == CacheControl.ABSENT || stored.freshness.age(now) <= directives.maxAge());
    }

    /**
     * Returns the time, in seconds, for which the client accepts the stale response {@code stored} in place of a
     * failure.
     */
    long staleIfError(StoredResponse stored) {
        return directives == null ? 0 : permitted(stored, directives.staleIfError());
    }

    /** Returns the time that the client permits, in seconds; 0 if the response does not allow clients to decide. */
    private static long permitted(StoredResponse stored, long stated) {
        boolean shared = stored.directives.sharedMaxAge() != CacheControl.ABSENT;
        return shared ? 0 : stored.stale(Math.max(0, stated), 0);
    }
}
