package dev.lychgate.server.cli;

import dev.lychgate.server.yaml.Environment;
import java.io.Console;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The size of a terminal.
 *
 * @param columns number of characters in a line
 * @param lines number of lines on the screen
 */
record TerminalSize(int columns, int lines) {
    private static final Pattern SIZE = Pattern.compile("(\\d{1,5}) (\\d{1,5})");
    private static final int USUAL_COLUMNS = 80;
    private static final int USUAL_LINES = 24;
    private static final int FEWEST_COLUMNS = 40;
    private static final int MOST = 1000;

    /** Returns whether standard input and output are a terminal. */
    @SuppressWarnings("SystemConsoleNull") // null without a terminal before JDK 22
    static boolean isTerminal() {
        Console console = System.console();
        if (console == null) {
            return false;
        }
        try {
            // JDK 17 lacks this method.
            return (boolean) Console.class.getMethod("isTerminal").invoke(console);
        } catch (NoSuchMethodException e) {
            return true;
        } catch (ReflectiveOperationException e) {
            return false;
        }
    }

    /**
     * Returns the number of columns for output that may go to a file or a pipe. The number is the value of the variable
     * {@code COLUMNS}; 80 if this variable is missing.
     */
    static int columns(Environment environment) {
        return bounded(environment.get("COLUMNS"), FEWEST_COLUMNS, USUAL_COLUMNS);
    }

    /** Returns the current size of the terminal, which may have been resized. */
    static TerminalSize ofTerminal(Environment environment) {
        Matcher size = SIZE.matcher(stty());
        boolean known = size.matches();
        int lines = bounded(known ? size.group(1) : environment.get("LINES"), 1, USUAL_LINES);
        int columns = known ? bounded(size.group(2), 1, USUAL_COLUMNS) : columns(environment);
        return new TerminalSize(columns, lines);
    }

    private static int bounded(@Nullable String text, int least, int usual) {
        int value = text != null && text.matches("\\d{1,5}") ? Integer.parseInt(text) : 0;
        return value == 0 ? usual : Math.max(least, Math.min(MOST, value));
    }

    /**
     * Returns the output of {@code stty size}: lines, a space, columns. Returns an empty text if the command is missing
     * or fails.
     */
    private static String stty() {
        try {
            Process stty = new ProcessBuilder("stty", "size")
                    .redirectInput(Redirect.INHERIT)
                    .redirectError(Redirect.DISCARD)
                    .start();
            if (!stty.waitFor(1, TimeUnit.SECONDS)) {
                stty.destroyForcibly();
                return "";
            }
            return new String(stty.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).strip();
        } catch (IOException e) {
            return "";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "";
        }
    }
}
