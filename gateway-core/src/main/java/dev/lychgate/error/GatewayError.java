package dev.lychgate.error;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One failure, classified where it occurred. An error is a value: it has no stack trace, and two errors can be
 * compared.
 *
 * @param kind the kind of failure
 * @param side the side that caused the failure
 * @param retry whether the request may be sent again
 * @param detail a short sentence for the log and, for client errors, for the response; never contains bytes from the
 *     client or the origin
 * @param cause the underlying exception, logged at debug level; null for ordinary failures
 */
public record GatewayError(
        ErrorKind kind,
        Side side,
        Retry retry,
        String detail,
        @Nullable Throwable cause) {
    public GatewayError {
        // Filters also create errors, and without this check a missing part would be detected only when the response is
        // written.
        Objects.requireNonNull(kind, "an error without a kind");
        Objects.requireNonNull(side, "an error without a side");
        Objects.requireNonNull(retry, "an error that does not state whether the request may be sent again");
        Objects.requireNonNull(detail, "an error without a detail");
    }

    /**
     * Returns the HTTP status that the gateway sends for the error. Groovy filters read it as {@code error.status}.
     * gRPC clients get a gRPC status instead.
     */
    public int getStatus() {
        return cause instanceof InjectedFault fault ? fault.status() : kind.status();
    }

    /** Creates an error that the client caused. The request is never retried. */
    public static GatewayError downstream(ErrorKind kind, String detail) {
        return new GatewayError(kind, Side.DOWNSTREAM, Retry.NEVER, detail, null);
    }

    /** Creates an error that the gateway or one of its limits caused before any byte was sent to an origin. */
    public static GatewayError local(ErrorKind kind, String detail) {
        return new GatewayError(kind, Side.LOCAL, Retry.NEVER, detail, null);
    }

    /**
     * Creates an error for a bug of the gateway or a filter. If there is a cause, it is logged with its stack trace.
     */
    public static GatewayError internal(String detail, @Nullable Throwable cause) {
        return new GatewayError(ErrorKind.INTERNAL, Side.LOCAL, Retry.NEVER, detail, cause);
    }

    /** Creates an error of the origin, or of the connection to the origin. */
    public static GatewayError upstream(ErrorKind kind, Retry retry, String detail) {
        return new GatewayError(kind, Side.UPSTREAM, retry, detail, null);
    }
}
