package dev.lychgate.server.terminal;

import java.io.PrintWriter;
import java.util.List;

/**
 * The screen of a terminal, drawn over again and again. What stood there before comes back when it is closed, by whichever
 * thread; after that nothing is drawn any more.
 */
public final class Screen implements AutoCloseable {
    /** The other screen, without a cursor. */
    private static final String BEGIN = "\033[?1049h\033[?25l";

    private static final String END = "\033[?25h\033[?1049l";
    private static final String TOP = "\033[H";
    private static final String REST_OF_LINE = "\033[K";
    private static final String REST_OF_SCREEN = "\033[J";

    private final PrintWriter out;
    private boolean closed;

    /** Takes the screen over. */
    public Screen(PrintWriter out) {
        this.out = out;
        out.print(BEGIN);
        out.flush();
    }

    /** @param lines no more than the screen has, none wider than it is */
    public synchronized void draw(List<String> lines) {
        if (closed) {
            return;
        }
        // Line by line over the old ones, not on an emptied screen, which would flicker.
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
