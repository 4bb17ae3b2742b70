package dev.lychgate.http2;

/**
 * What a peer has done that HTTP/2 does not allow, or that we do not bear: the end of a stream, or of the connection.
 * Carries no stack trace: it is an event like any other, and a flood of them must cost no more.
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

    /** The connection has to end. @param detail a short sentence for the log and the peer, without anything it has sent */
    static Http2Fault ofConnection(Http2Error error, String detail) {
        return new Http2Fault(error, 0, detail);
    }

    /** The stream has to end. @param detail a short sentence for the log, without anything the peer has sent */
    public static Http2Fault ofStream(int stream, Http2Error error, String detail) {
        return new Http2Fault(error, stream, detail);
    }

    public Http2Error error() {
        return error;
    }

    /** The stream that ends; 0 if it is the connection. */
    public int stream() {
        return stream;
    }

    boolean isOfConnection() {
        return stream == 0;
    }

    /** What was wrong, in a short sentence. */
    public String detail() {
        return String.valueOf(getMessage());
    }
}
