package dev.lychgate.http;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.util.AsciiString;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What the gateway has to know of gRPC: which requests are calls, and how long their clients wait.
 *
 * @see <a href="https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md">gRPC over HTTP2</a>
 */
public final class Grpc {
    public static final AsciiString STATUS = AsciiString.cached("grpc-status");
    public static final AsciiString MESSAGE = AsciiString.cached("grpc-message");
    public static final AsciiString CONTENT_TYPE = AsciiString.cached("application/grpc");
    public static final AsciiString TIMEOUT = AsciiString.cached("grpc-timeout");
    private static final int MOST_DIGITS = 8;

    private Grpc() {}

    /** Whether a content type is that of gRPC itself; gRPC-Web is not, and is a protocol of its own. */
    public static boolean is(@Nullable String contentType) {
        if (contentType == null || !contentType.regionMatches(true, 0, "application/grpc", 0, CONTENT_TYPE.length())) {
            return false;
        }
        char next = contentType.length() == CONTENT_TYPE.length() ? ';' : contentType.charAt(CONTENT_TYPE.length());
        return next == ';' || next == '+' || next == ' ';
    }

    /** Whether {@code head} begins a call: its client understands no answer but gRPC's. */
    public static boolean isCall(@Nullable RequestHead head) {
        return head != null
                && head.version() == HttpVersion.HTTP_2
                && is(head.headers().get(HttpHeaderNames.CONTENT_TYPE));
    }

    /**
     * How long the client waits for the end of its call, in nanoseconds; {@link Long#MAX_VALUE} if this is no call, or if
     * the client says nothing, or nothing that can be understood.
     */
    public static long timeout(RequestHead head) {
        return isCall(head) ? timeout(head.headers().get(TIMEOUT)) : Long.MAX_VALUE;
    }

    static long timeout(@Nullable String value) {
        int digits = value == null ? 0 : value.length() - 1;
        if (value == null || digits < 1 || digits > MOST_DIGITS) {
            return Long.MAX_VALUE;
        }
        long number = 0;
        for (int i = 0; i < digits; i++) {
            char c = value.charAt(i);
            if (c < '0' || c > '9') {
                return Long.MAX_VALUE;
            }
            number = number * 10 + c - '0';
        }
        // As long as there can be: 99,999,999 hours are more nanoseconds than a long holds, and come out as its
        // largest.
        return switch (value.charAt(digits)) {
            case 'H' -> TimeUnit.HOURS.toNanos(number);
            case 'M' -> TimeUnit.MINUTES.toNanos(number);
            case 'S' -> TimeUnit.SECONDS.toNanos(number);
            case 'm' -> TimeUnit.MILLISECONDS.toNanos(number);
            case 'u' -> TimeUnit.MICROSECONDS.toNanos(number);
            case 'n' -> number;
            default -> Long.MAX_VALUE;
        };
    }
}
