package dev.lychgate.server.terminal;

import java.io.PrintWriter;
import java.util.List;

/**
 * The screen of a terminal, redrawn repeatedly. Thread-safe. Closing this screen restores the previous content of the
 * terminal; afterwards, draws have no effect.
 */
public final class Screen implements AutoCloseable {
    /** Switches to the alternate screen and hides the cursor. */
    private static final String BEGIN = "\033[?1049h\033[?25l";

    private static final String END = "\033[?25h\033[?1049l";
    private static final String TOP = "\033[H";
    private static final String REST_OF_LINE = "\033[K";
    private static final String REST_OF_SCREEN = "\033[J";

    private final PrintWriter out;
    private boolean closed;

    /** Switches the terminal to the alternate screen. */
    public Screen(PrintWriter out) {
        this.out = out;
        out.print(BEGIN);
        out.flush();
    }

    /**
     * Replaces the content.
     *
     * @param lines the lines, which must fit on the screen
     */
    public synchronized void draw(List<String> lines) {
        if (closed) {
            return;
        }
        // Overwrites line by line, because the screen would flicker if it were cleared first.
        out.print(TOP + String.join(REST_OF_LINE + "\n", lines) + REST_OF_LINE + REST_OF_SCREEN);
        out.flush();
    }

    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            out.print(END);
            out.flush();
        }
    }
}
