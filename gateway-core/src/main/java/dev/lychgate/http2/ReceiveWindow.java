package dev.lychgate.http2;

/**
 * Receive window of a connection or of a stream: how many bytes the peer may still send.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9113#section-5.2">RFC 9113, 5.2 Flow Control</a>
 */
class ReceiveWindow {
    /** Window of connections and streams before any setting, in both directions. */
    static final int INITIAL = 65_535;

    private final int size;
    private int left;
    private int toReturn;

    /** @param size window that {@link #taken} maintains; @param initial window of the first bytes */
    ReceiveWindow(int size, int initial) {
        this.size = size;
        this.left = initial;
    }

    /** Counts received bytes. @return false if they exceed the window */
    final boolean received(int bytes) {
        left -= bytes;
        return left >= 0;
    }

    /** Widens, or narrows, the window by a setting. */
    final void grow(int more) {
        left += more;
    }

    /** {@code bytes} are not buffered any longer. @return increment that the peer must get now, 0 for none */
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
