package dev.lychgate.http;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Iterates over the entries of a list header from the last one to the first, across several header lines. Each proxy
 * appends its entry, so the text to the left of an entry comes from less trusted senders. That text cannot change how
 * the entry is parsed, even if it contains an unterminated quoted string. Empty entries are skipped (RFC 9110, 5.6.1).
 */
final class HopList {
    private final List<String> lines;
    private final boolean quotes;
    private int line;
    private String text = "";
    /** The end of the unread part of {@link #text}; -1 if the whole line has been read. */
    private int end = -1;

    /**
     * @param lines the values of the header, in the order of the message
     * @param quotes whether a comma inside a quoted string is a part of an entry; if false, it separates two entries
     */
    HopList(List<String> lines, boolean quotes) {
        this.lines = lines;
        this.quotes = quotes;
        this.line = lines.size();
    }

    /** Returns the next entry to the left without surrounding whitespace; null at the beginning of the list. */
    @Nullable
    String previous() {
        while (true) {
            if (end < 0) {
                if (line == 0) {
                    return null;
                }
                text = lines.get(--line);
                end = text.length();
            }
            int comma = comma();
            String entry = text.substring(comma + 1, end).strip();
            end = comma;
            if (!entry.isEmpty()) {
                return entry;
            }
        }
    }

    /** Returns the position of the comma before {@link #end}; -1 if there is none. */
    private int comma() {
        int at = end - 1;
        while (at >= 0 && text.charAt(at) != ',') {
            if (quotes && text.charAt(at) == '"') {
                at = opening(at);
            }
            at--;
        }
        return Math.max(-1, at);
    }

    /**
     * Returns the position of the quote that opens the quoted string that ends at {@code closing}; -1 if there is none.
     */
    private int opening(int closing) {
        int at = closing - 1;
        while (at >= 0 && (text.charAt(at) != '"' || isEscaped(at))) {
            at--;
        }
        return at;
    }

    private boolean isEscaped(int at) {
        int backslashes = 0;
        while (backslashes < at && text.charAt(at - 1 - backslashes) == '\\') {
            backslashes++;
        }
        return backslashes % 2 == 1;
    }
}
