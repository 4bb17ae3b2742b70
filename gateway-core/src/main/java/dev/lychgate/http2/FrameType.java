package dev.lychgate.http2;

/**
 * Frames by their numbers on the wire, and their flags.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9113#section-6">RFC 9113, 6 Frame Definitions</a>
 */
final class FrameType {
    static final int DATA = 0;
    static final int HEADERS = 1;
    static final int PRIORITY = 2;
    static final int RST_STREAM = 3;
    static final int SETTINGS = 4;
    static final int PUSH_PROMISE = 5;
    static final int PING = 6;
    static final int GOAWAY = 7;
    static final int WINDOW_UPDATE = 8;
    static final int CONTINUATION = 9;

    static final int ACK = 1;
    static final int END_STREAM = 1;
    static final int END_HEADERS = 4;
    static final int PADDED = 8;
    static final int WITH_PRIORITY = 0x20;

    /** Length of the head of every frame, in bytes. */
    static final int HEAD = 9;

    /** The longest payload that everybody has to take, and the longest that we send and take. */
    static final int LONGEST = 16 * 1024;

    private FrameType() {}
}
