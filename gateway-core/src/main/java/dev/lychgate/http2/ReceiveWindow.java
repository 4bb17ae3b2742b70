package dev.lychgate.http2;

/**
 * Receive window of a connection or stream: the number of bytes that the peer may still send.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9113#section-5.2">RFC 9113, 5.2 Flow Control</a>
 */
class ReceiveWindow {
    /** Default window of connections and streams in both directions. */
    static final int INITIAL = 65_535;

    private final int size;
    private int left;
    private int toReturn;

    /**
     * Creates a window.
     *
     * @param size window size in bytes, up to which {@link #taken} restores the window
     * @param initial window size at the start, in bytes
     */
    ReceiveWindow(int size, int initial) {
        this.size = size;
        this.left = initial;
    }

    /**
     * Counts received bytes.
     *
     * @return false if the bytes exceed the window
     */
    final boolean received(int bytes) {
        left -= bytes;
        return left >= 0;
    }

    /** Changes the window by {@code more} bytes because a setting changed; {@code more} may be negative. */
    final void grow(int more) {
        left += more;
    }

    /**
     * Records that {@code bytes} bytes have left the buffers.
     *
     * @return increment for a WINDOW_UPDATE; 0 if no WINDOW_UPDATE is due
     */
    final int taken(int bytes) {
        toReturn += bytes;
        if (toReturn < size / 2) {
            return 0;
        }
        int increment = toReturn;
        left += increment;
        toReturn = 0;
        return increment;
    }
}
