package dev.lychgate.http2;

import dev.lychgate.http.BodyFraming;

/**
 * Compares the length of a body with its announced length.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9113#section-8.1.1">RFC 9113, 8.1.1 Malformed Messages</a>
 */
final class MessageLength {
    private static final int UNKNOWN = -1;
    /** Value of {@link #announced} before the message head. */
    private static final int NOTHING = -2;

    private long announced = NOTHING;
    private long total;

    /** Sets the length that the head announces; without {@link BodyFraming#LENGTH}, the length is unknown. */
    void expect(BodyFraming framing, long length) {
        announced = framing == BodyFraming.LENGTH ? length : UNKNOWN;
    }

    /** Returns whether the body has its announced length, so that only the end of the stream is missing. */
    boolean isComplete() {
        return total == announced;
    }

    /** Returns the number of received bytes. */
    long total() {
        return total;
    }

    /**
     * Adds {@code bytes} of the body.
     *
     * @throws Http2Fault if the body is too long, precedes the head, or ends too early
     */
    void add(int stream, int bytes, boolean end) throws Http2Fault {
        if (announced == NOTHING) {
            throw Http2Fault.ofStream(stream, Http2Error.PROTOCOL_ERROR, "a body arrived before the header section");
        }
        total += bytes;
        if (announced >= 0 && total > announced) {
            throw unlike(stream);
        }
        if (end) {
            end(stream);
        }
    }

    /**
     * Ends the body.
     *
     * @throws Http2Fault if the body is too short
     */
    void end(int stream) throws Http2Fault {
        if (announced >= 0 && total != announced) {
            throw unlike(stream);
        }
    }

    private static Http2Fault unlike(int stream) {
        return Http2Fault.ofStream(
                stream, Http2Error.PROTOCOL_ERROR, "the length of the body differs from Content-Length");
    }
}
