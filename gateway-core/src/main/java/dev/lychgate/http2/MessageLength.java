package dev.lychgate.http2;

import dev.lychgate.http.BodyFraming;

/**
 * Counts the body of a message against the length that was announced for it.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9113#section-8.1.1">RFC 9113, 8.1.1 Malformed Messages</a>
 */
final class MessageLength {
    private static final int UNKNOWN = -1;
    /** Before the head. */
    private static final int NOTHING = -2;

    private long announced = NOTHING;
    private long total;

    /** The head says how long the body is going to be, or doesn't. */
    void expect(BodyFraming framing, long length) {
        announced = framing == BodyFraming.LENGTH ? length : UNKNOWN;
    }

    /** Whether the whole announced length has been received, so that only the end of the stream is missing. */
    boolean isComplete() {
        return total == announced;
    }

    /** How much has come, in bytes. */
    long total() {
        return total;
    }

    /** {@code bytes} more have come. @throws Http2Fault if that is more, or with {@code end} less, than announced; or before the head */
    void add(int stream, int bytes, boolean end) throws Http2Fault {
        if (announced == NOTHING) {
            throw Http2Fault.ofStream(stream, Http2Error.PROTOCOL_ERROR, "a body without a head");
        }
        total += bytes;
        if (announced >= 0 && total > announced) {
            throw unlike(stream);
        }
        if (end) {
            end(stream);
        }
    }

    /** Nothing more comes. @throws Http2Fault if it is less than announced */
    void end(int stream) throws Http2Fault {
        if (announced >= 0 && total != announced) {
            throw unlike(stream);
        }
    }

    private static Http2Fault unlike(int stream) {
        return Http2Fault.ofStream(stream, Http2Error.PROTOCOL_ERROR, "a body of another length than announced");
    }
}
