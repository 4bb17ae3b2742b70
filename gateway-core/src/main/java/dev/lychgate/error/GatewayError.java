package dev.lychgate.error;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One failure, classified where it happened. A value: making one costs no stack trace, and it can be compared.
 *
 * @param kind what happened
 * @param side whose fault it is
 * @param retry what it says about sending the request again
 * @param detail a short sentence for the log and, where the fault is the client's, for its answer; never contains bytes
 *     the client or the origin sent
 * @param cause the exception behind it, for the log at debug level; null for ordinary failures
 */
public record GatewayError(
        ErrorKind kind,
        Side side,
        Retry retry,
        String detail,
        @Nullable Throwable cause) {
    public GatewayError {
        // Filters make them, too, and what is missing would be missed only where the error is answered.
        Objects.requireNonNull(kind, "an error without a kind");
        Objects.requireNonNull(side, "an error without a side");
        Objects.requireNonNull(retry, "an error that does not say whether to send again");
        Objects.requireNonNull(detail, "an error without a detail");
    }

    /** A fault in what the client sent or did; never worth repeating. */
    public static GatewayError downstream(ErrorKind kind, String detail) {
        return new GatewayError(kind, Side.DOWNSTREAM, Retry.NEVER, detail, null);
    }

    /** A fault of the gateway or of its limits, found before anything was sent to an origin. */
    public static GatewayError local(ErrorKind kind, String detail) {
        return new GatewayError(kind, Side.LOCAL, Retry.NEVER, detail, null);
    }

    /** A bug of ours or of a filter: the cause, if there is one, is logged with its stack trace. */
    public static GatewayError internal(String detail, @Nullable Throwable cause) {
        return new GatewayError(ErrorKind.INTERNAL, Side.LOCAL, Retry.NEVER, detail, cause);
    }

    /** A fault of the origin or of the way to it. */
    public static GatewayError upstream(ErrorKind kind, Retry retry, String detail) {
        return new GatewayError(kind, Side.UPSTREAM, retry, detail, null);
    }
}
