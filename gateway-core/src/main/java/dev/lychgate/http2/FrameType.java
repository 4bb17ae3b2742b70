package dev.lychgate.http2;

/**
 * Numbers of frame types, flags and settings.
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

    static final int HEADER_TABLE_SIZE = 1;
    static final int ENABLE_PUSH = 2;
    static final int MAX_CONCURRENT_STREAMS = 3;
    static final int INITIAL_WINDOW_SIZE = 4;
    static final int MAX_FRAME_SIZE = 5;
    static final int MAX_HEADER_LIST_SIZE = 6;
    /** The setting SETTINGS_ENABLE_CONNECT_PROTOCOL; see RFC 8441, section 3. */
    static final int ENABLE_CONNECT_PROTOCOL = 8;

    /** Length of the frame header, in bytes. */
    static final int HEAD = 9;

    /**
     * Maximum length, in bytes, of a payload that the gateway sends and accepts. Every peer must accept payloads of
     * this length.
     */
    static final int LONGEST = 16 * 1024;

    private FrameType() {}
}
