package dev.lychgate.http;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.util.AsciiString;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Recognizes gRPC calls, and reads and writes the fields that are specific to gRPC.
 *
 * @see <a href="https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md">gRPC over HTTP2</a>
 */
public final class Grpc {
    public static final AsciiString STATUS = AsciiString.cached("grpc-status");
    public static final AsciiString MESSAGE = AsciiString.cached("grpc-message");
    public static final AsciiString CONTENT_TYPE = AsciiString.cached("application/grpc");
    public static final AsciiString TIMEOUT = AsciiString.cached("grpc-timeout");
    private static final int MOST_DIGITS = 8;
    private static final Pattern STATUS_DIGITS = Pattern.compile("[0-9]{1,9}");

    private Grpc() {}

    /** Returns whether a content type denotes gRPC. The result is false for gRPC-Web, which is a different protocol. */
    public static boolean is(@Nullable String contentType) {
        if (contentType == null || !contentType.regionMatches(true, 0, "application/grpc", 0, CONTENT_TYPE.length())) {
            return false;
        }
        char next = contentType.length() == CONTENT_TYPE.length() ? ';' : contentType.charAt(CONTENT_TYPE.length());
        return next == ';' || next == '+' || next == ' ';
    }

    /** Returns whether {@code head} starts a gRPC call. The client of a call accepts only gRPC responses. */
    public static boolean isCall(@Nullable RequestHead head) {
        return head != null
                && head.version() == HttpVersion.HTTP_2
                && is(head.headers().get(HttpHeaderNames.CONTENT_TYPE));
    }

    /**
     * Returns the timeout that the client sets for a gRPC call, in nanoseconds; {@link Long#MAX_VALUE} if the request
     * is not a gRPC call, or if the timeout is missing or malformed.
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
        // No overflow: 99,999,999 hours in nanoseconds exceed the range of a long, but toNanos then returns
        // Long.MAX_VALUE.
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

    /** Parses the value of {@code grpc-status}; returns null if the value is missing or malformed. */
    public static @Nullable Integer status(@Nullable String value) {
        return value != null && STATUS_DIGITS.matcher(value).matches() ? Integer.valueOf(value) : null;
    }

    /** Percent-encodes a text for {@code grpc-message}. */
    public static String encoded(String message) {
        StringBuilder text = new StringBuilder(message.length());
        for (byte b : message.getBytes(StandardCharsets.UTF_8)) {
            if (b >= ' ' && b <= '~' && b != '%') {
                text.append((char) b);
            } else {
                text.append('%').append(HexFormat.of().withUpperCase().toHexDigits(b));
            }
        }
        return text.toString();
    }

    /** Decodes the value of {@code grpc-message}; keeps malformed percent-encodings unchanged. */
    public static String decoded(String message) {
        return String.join(
                "", QueryParameters.of("m=" + message.replace("&", "%26").replace("+", "%2B"), "m"));
    }
}
