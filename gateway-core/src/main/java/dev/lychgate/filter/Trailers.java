package dev.lychgate.filter;

import org.jspecify.annotations.Nullable;

/**
 * The trailers of a message, see {@link FilterMessage#onTrailers}. Filters cannot set fields that are not permitted in
 * trailers, such as fields for framing, authentication and routing.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9110#section-6.5">RFC 9110, 6.5 Trailer Fields</a>
 */
public interface Trailers extends Headers {
    /** Returns {@code grpc-status}; null if it is missing or malformed. */
    @Nullable
    Integer getGrpcStatus();

    /**
     * Sets {@code grpc-status}.
     *
     * @throws IllegalArgumentException if the status is negative
     */
    void setGrpcStatus(int status);

    /** Returns {@code grpc-message}, decoded; null if it is missing. */
    @Nullable
    String getGrpcMessage();

    /** Sets {@code grpc-message}, percent-encoded; null removes it. */
    void setGrpcMessage(@Nullable String message);
}
