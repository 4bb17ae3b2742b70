package dev.lychgate.filter;

import dev.lychgate.config.ByteSize;
import dev.lychgate.config.Durations;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A call-out: a request that a filter sends to an upstream of the configuration, or to an origin that {@code
 * filters.call-outs} lists. A call-out uses the connection pools, balancing, health, circuit breaker, retry budget, TLS
 * and HTTP version of its upstream. {@link FilterExchange#call} begins a call-out, the methods below describe the
 * request, and {@link #send} sends it.
 *
 * <p>A call-out carries no header field of the client. The gateway adds {@code x-request-id}, {@code via} and, unless
 * the filter sets it, {@code user-agent}. If tracing is configured, the gateway also adds the context of a child span.
 *
 * <p>When the filter returns its decision or is cancelled, the gateway cancels its unfinished call-outs. Only one
 * thread at a time may use this object.
 */
public interface FilterCall {
    /** The default timeout of a call-out. */
    Duration DEFAULT_TIMEOUT = Duration.ofSeconds(2);

    /** The default limit for the response body of a call-out, in bytes. */
    int DEFAULT_MAX_BODY = 1 << 20;

    /**
     * Sets the method and the path. Each {@code {}} in the path is replaced by the next element of {@code segments},
     * percent-encoded.
     *
     * @param method a method other than CONNECT
     * @param path the percent-encoded path, which begins with {@code /} and may contain a query
     * @throws IllegalArgumentException if the method or the path is malformed, or a segment is empty, {@code .}, {@code
     *     ..} or contains a slash
     */
    FilterCall method(String method, String path, Object... segments);

    /** Calls {@link #method} with GET. */
    default FilterCall get(String path, Object... segments) {
        return method("GET", path, segments);
    }

    /** Calls {@link #method} with HEAD. */
    default FilterCall head(String path, Object... segments) {
        return method("HEAD", path, segments);
    }

    /** Calls {@link #method} with POST. */
    default FilterCall post(String path, Object... segments) {
        return method("POST", path, segments);
    }

    /** Calls {@link #method} with PUT. */
    default FilterCall put(String path, Object... segments) {
        return method("PUT", path, segments);
    }

    /** Calls {@link #method} with PATCH. */
    default FilterCall patch(String path, Object... segments) {
        return method("PATCH", path, segments);
    }

    /** Calls {@link #method} with DELETE. */
    default FilterCall delete(String path, Object... segments) {
        return method("DELETE", path, segments);
    }

    /** Adds a query parameter; this method percent-encodes name and value. */
    FilterCall query(String name, String value);

    /**
     * Sets a header field.
     *
     * @throws IllegalArgumentException if name or value is malformed, or if the gateway itself writes the field, such
     *     as framing fields and {@code host}
     */
    FilterCall header(String name, String value);

    /** Sets the body and its {@code content-type}. The array must not be changed afterwards. */
    FilterCall body(byte[] bytes, String type);

    /** Sets the body as UTF-8, and its {@code content-type}. */
    default FilterCall body(String text, String type) {
        return body(text.getBytes(StandardCharsets.UTF_8), type);
    }

    /**
     * Sets the body to {@code value} as JSON: maps, iterables, arrays, numbers, booleans and null; objects of other
     * types become strings.
     *
     * @throws IllegalArgumentException if a number is not finite, or values are nested more than 64 levels deep
     */
    FilterCall json(@Nullable Object value);

    /**
     * Limits the time from {@link #send} to the last byte of the response, retries included; {@link #DEFAULT_TIMEOUT}
     * by default. The timeout of the filter and the deadline of the exchange also limit this time. The gateway checks
     * timeouts every 100 ms.
     *
     * @throws IllegalArgumentException if {@code length} is zero or negative
     */
    FilterCall timeout(Duration length);

    /**
     * Calls {@link #timeout(Duration)} with a length in text form.
     *
     * @param length the length, such as {@code 300ms} or {@code 2s}
     */
    default FilterCall timeout(String length) {
        return timeout(Durations.parse(length));
    }

    /**
     * Limits the body of the response, in bytes; {@link #DEFAULT_MAX_BODY} by default.
     *
     * @throws IllegalArgumentException if {@code bytes} is negative
     */
    FilterCall maxBody(int bytes);

    /**
     * Calls {@link #maxBody(int)} with a size in text form.
     *
     * @param size the size, such as {@code 64KiB}
     */
    default FilterCall maxBody(String size) {
        return maxBody(ByteSize.parse(size).asInt());
    }

    /**
     * Sends the request. May be called repeatedly; each call sends another request. Cancelling the future cancels the
     * call-out.
     *
     * @return completes on the event loop of the exchange with the response, regardless of its status. If there is no
     *     response, the future fails with a {@link CallException}. If the exchange has too many call-outs, the future
     *     fails with an {@link IllegalStateException}
     * @throws IllegalStateException if no method is set, or if the filter has already returned its decision
     */
    CompletableFuture<CallResponse> send();
}
