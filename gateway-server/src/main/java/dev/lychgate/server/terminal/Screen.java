package dev.lychgate.server.terminal;

import java.io.PrintWriter;
import java.util.List;

/**
 * The screen of a terminal, redrawn repeatedly. Closing restores the previous content, on any thread. Nothing is drawn
 * afterwards.
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

    /** @param lines at most as many and as wide as the screen */
    public synchronized void draw(List<String> lines) {
        if (closed) {
            return;
        }
        // Overwrites line by line: clearing the screen first would flicker.
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
