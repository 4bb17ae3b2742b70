package dev.lychgate.http2;

import java.util.Locale;

/**
 * Error code of a stream or connection.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9113#section-7">RFC 9113, 7 Error Codes</a>
 */
public enum Http2Error {
    NO_ERROR(0),
    PROTOCOL_ERROR(1),
    INTERNAL_ERROR(2),
    FLOW_CONTROL_ERROR(3),
    SETTINGS_TIMEOUT(4),
    STREAM_CLOSED(5),
    FRAME_SIZE_ERROR(6),
    REFUSED_STREAM(7),
    CANCEL(8),
    COMPRESSION_ERROR(9),
    CONNECT_ERROR(10),
    ENHANCE_YOUR_CALM(11),
    INADEQUATE_SECURITY(12),
    HTTP_1_1_REQUIRED(13);

    private static final Http2Error[] ALL = values();

    private final int code;
    private final String label = name().toLowerCase(Locale.ROOT).replace('_', '-');

    Http2Error(int code) {
        this.code = code;
    }

    /** Returns the error with this code; {@link #INTERNAL_ERROR} for an unknown code. */
    public static Http2Error of(long code) {
        return code >= 0 && code < ALL.length ? ALL[(int) code] : INTERNAL_ERROR;
    }

    int code() {
        return code;
    }

    /** Returns the name of the error in logs and metrics, such as {@code enhance-your-calm}. */
    public String label() {
        return label;
    }
}
