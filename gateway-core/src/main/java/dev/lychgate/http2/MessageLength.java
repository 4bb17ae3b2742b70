package dev.lychgate.http2;

import dev.lychgate.http.BodyFraming;

/**
 * Counts the body of a message against the length that was announced for it.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9113#section-8.1.1">RFC 9113, 8.1.1 Malformed Messages</a>
 */
public final class MessageLength {
    private long announced = -1;
    private long total;

    /** The head says how long the body is going to be, or doesn't. */
    public void expect(BodyFraming framing, long length) {
        announced = framing == BodyFraming.LENGTH ? length : -1;
    }

    /** Whether the whole announced length has been received, so that only the end of the stream is missing. */
    public boolean isComplete() {
        return total == announced;
    }

    /** How much has come, in bytes. */
    public long total() {
        return total;
    }

    /** {@code bytes} more have come. @throws Http2Fault if that is more, or with {@code end} less, than announced */
    public void add(int stream, int bytes, boolean end) throws Http2Fault {
        total += bytes;
        if (announced >= 0 && total > announced) {
            throw unlike(stream);
        }
        if (end) {
            end(stream);
        }
    }

    /** Nothing more comes. @throws Http2Fault if it is less than announced */
    public void end(int stream) throws Http2Fault {
        if (announced >= 0 && total != announced) {
            throw unlike(stream);
        }
    }

    private static Http2Fault unlike(int stream) {
        return Http2Fault.ofStream(stream, Http2Error.PROTOCOL_ERROR, "a body of another length than announced");
    }
}
