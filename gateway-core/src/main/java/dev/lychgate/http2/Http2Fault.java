package dev.lychgate.http2;

/**
 * Thrown if a peer violates the protocol or uses too many resources. The fault ends a stream or the connection. It has
 * no stack trace, because a peer can cause faults at a high rate.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9113#section-5.4">RFC 9113, 5.4 Error Handling</a>
 */
public final class Http2Fault extends Exception {
    private static final long serialVersionUID = 1;

    private final Http2Error error;
    private final int stream;

    private Http2Fault(Http2Error error, int stream, String detail) {
        super(detail, null, false, false);
        this.error = error;
        this.stream = stream;
    }

    /**
     * Returns a connection error.
     *
     * @param detail short text for the log and the peer, without any data from the peer
     */
    static Http2Fault ofConnection(Http2Error error, String detail) {
        return new Http2Fault(error, 0, detail);
    }

    /**
     * Returns a stream error.
     *
     * @param detail short text for the log, without any data from the peer
     */
    public static Http2Fault ofStream(int stream, Http2Error error, String detail) {
        return new Http2Fault(error, stream, detail);
    }

    public Http2Error error() {
        return error;
    }

    /** Returns the stream; 0 for a connection error. */
    public int stream() {
        return stream;
    }

    boolean isOfConnection() {
        return stream == 0;
    }

    /** Returns a short description. */
    public String detail() {
        return String.valueOf(getMessage());
    }
}
