package dev.lychgate.cache;

import io.netty.handler.codec.http.DefaultHttpHeadersFactory;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A stored response. Its content never changes: a validation replaces this object with a new object, which shares the
 * body. Thread-safe.
 */
final class StoredResponse {
    /** The estimated memory of the object and of its places in the store, in bytes. */
    private static final int OVERHEAD = 512;

    private static final int PER_FIELD = 96;
    private static final int MOST_TAGS = 256;

    /**
     * The fields that are not stored, because they describe one message and not the response, or because the gateway
     * sets them when it sends the response.
     */
    private static final List<CharSequence> NOT_STORED = List.of(
            HttpHeaderNames.AGE,
            HttpHeaderNames.CONTENT_LENGTH,
            HttpHeaderNames.TRAILER,
            HttpHeaderNames.CONNECTION,
            HttpHeaderNames.TRANSFER_ENCODING,
            HttpHeaderNames.PROXY_AUTHENTICATE,
            "proxy-authentication-info",
            "alt-used");

    /** The fields of a 304 that do not replace stored fields, because they describe the stored body (RFC 9111, 3.2). */
    private static final List<CharSequence> OF_BODY = List.of(
            HttpHeaderNames.CONTENT_ENCODING,
            HttpHeaderNames.CONTENT_TYPE,
            HttpHeaderNames.CONTENT_RANGE,
            HttpHeaderNames.CONTENT_MD5);

    final CacheKey key;
    final Vary vary;
    final int status;
    final String reason;
    /** Never changed after the constructor. */
    final HttpHeaders headers;

    final CacheControl directives;
    final Freshness freshness;
    final StoredBody body;
    final long headBytes;
    /** The tags by which the response is purged. */
    final List<String> tags;
    /** The place in the queues of the store. Set when the response is stored. */
    ResponseStore.@Nullable Place place;
    /**
     * The time at which the request was sent, in nanoseconds of the monotonic clock. Set when the response is stored.
     */
    long requested;

    /** Whether a validation in the background is in progress. */
    private final AtomicBoolean refreshing = new AtomicBoolean();

    /**
     * Creates a stored response from its parts.
     *
     * @param headers the fields, which the stored response owns
     * @param body a body with a reference, which the stored response owns
     */
    StoredResponse(
            CacheKey key,
            Vary vary,
            int status,
            String reason,
            HttpHeaders headers,
            CacheControl directives,
            Freshness freshness,
            StoredBody body,
            List<String> tags) {
        this.key = key;
        this.vary = vary;
        this.status = status;
        this.reason = reason;
        this.headers = headers;
        this.directives = directives;
        this.freshness = freshness;
        this.body = body;
        this.tags = tags;
        long bytes = OVERHEAD + 2L * key.text().length() + vary.size();
        for (Map.Entry<String, String> field : headers) {
            bytes += PER_FIELD + field.getKey().length() + field.getValue().length();
        }
        for (String tag : tags) {
            bytes += PER_FIELD + tag.length();
        }
        this.headBytes = bytes;
    }

    /** Returns the tags in the response field {@code name}; an empty list if the name is null. */
    static List<String> tags(HttpHeaders headers, @Nullable String name) {
        return name == null
                ? List.of()
                : headers.getAll(name).stream()
                        .flatMap(field -> Stream.of(field.split("[\\s,]+", -1)))
                        .filter(tag -> !tag.isEmpty())
                        .distinct()
                        .limit(MOST_TAGS)
                        .toList();
    }

    /**
     * Returns a copy of the fields that are stored. If {@code Date} is missing, adds it with the time of the response
     * (RFC 9110, 6.6.1).
     */
    static HttpHeaders storable(HttpHeaders received, Freshness freshness) {
        HttpHeaders stored =
                DefaultHttpHeadersFactory.headersFactory().withValidation(false).newHeaders();
        stored.add(received);
        NOT_STORED.forEach(stored::remove);
        if (!stored.contains(HttpHeaderNames.DATE)) {
            stored.set(HttpHeaderNames.DATE, HttpTime.format(freshness.date()));
        }
        return stored;
    }

    /**
     * Returns the stored fields, updated with the fields of a 304 (RFC 9111, 3.2).
     *
     * @param accepted returns whether a field is updated; receives the name of the field in lower case
     */
    HttpHeaders updated(HttpHeaders notModified, Predicate<String> accepted) {
        HttpHeaders merged = headers.copy();
        HttpHeaders update = notModified.copy();
        NOT_STORED.forEach(update::remove);
        OF_BODY.forEach(update::remove);
        for (String name : update.names()) {
            if (accepted.test(name.toLowerCase(Locale.ROOT))) {
                merged.set(name, update.getAll(name));
            }
        }
        return merged;
    }

    @Nullable
    String entityTag() {
        return headers.get(HttpHeaderNames.ETAG);
    }

    @Nullable
    String lastModified() {
        return headers.get(HttpHeaderNames.LAST_MODIFIED);
    }

    boolean hasValidator() {
        return entityTag() != null || lastModified() != null;
    }

    /**
     * Returns for how long the response may be used after the end of its lifetime, in seconds (RFC 9111, 4.2.4).
     *
     * @param stated the time that the response states; {@link CacheControl#ABSENT} if it states none
     * @param configured the time that the route permits; {@link CacheControl#ABSENT} if it permits none
     */
    long stale(long stated, long configured) {
        if (directives.noCache() || directives.mustRevalidate()) {
            return 0;
        }
        if (stated != CacheControl.ABSENT) {
            return stated;
        }
        // If the response contains s-maxage and states no time, it must be validated.
        return directives.sharedMaxAge() != CacheControl.ABSENT ? 0 : Math.max(0, configured);
    }

    long bytes() {
        return headBytes + body.bytes();
    }

    /** Records the beginning of a validation in the background. Returns false if another validation is in progress. */
    boolean beginRefresh() {
        return refreshing.compareAndSet(false, true);
    }

    /** Records the end of the validation in the background, so that another validation may begin. */
    void endRefresh() {
        refreshing.set(false);
    }
}
