package dev.lychgate.config;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Estimates the size of the program that RE2 would compile from an expression, without compiling the expression. If RE2
 * accepts the expression, the estimate is an upper bound. If RE2 rejects the expression, the estimate has no meaning.
 *
 * <p>The estimate takes one pass over the text. The size of a branch is the sum of its atoms, and the size of a group
 * is the sum of its branches. Unicode classes and case-insensitive ranges count with the size of their tables in RE2/J.
 * A repetition multiplies the size of the repeated part, but not the size of the tables in this part. Groups and
 * optional parts count for more instructions than RE2 generates, because matching them also needs stack memory.
 */
final class RegexEstimate {
    /** The largest estimate, in instructions. Larger estimates are reduced to this value. */
    static final long MANY = 1_000_000_000;

    private static final int GROUP = 8;
    private static final int BRANCH = 2;
    private static final int OPTIONAL = 3;
    private static final int UNICODE_CLASS = 64;
    private static final int FOLDED_PER_INSTRUCTION = 64;
    private static final int CHARACTERS_PER_INSTRUCTION = 8;

    // RE2/J 1.8 folds the case of these characters to letters that do not fold back, so its case folding never ends.
    private static final int FIRST_ENDLESS = 0x1c80;
    private static final int LAST_ENDLESS = 0x1c88;
    // RE2/J does not fold the case of a range that contains all code points from FIRST_FOLDED to LAST_FOLDED.
    private static final int FIRST_FOLDED = 0x41;
    private static final int LAST_FOLDED = 0x1e943;

    private final String text;
    private final Deque<Group> outer = new ArrayDeque<>();
    private final long size;
    private Group group = new Group(0);
    private int at;
    private long tables;
    private long inRanges;
    private boolean ignoresCase;
    private boolean endless;

    RegexEstimate(String text) {
        this.text = text;
        while (at < text.length()) {
            next();
        }
        while (!outer.isEmpty()) {
            close();
        }
        long folded = ignoresCase ? inRanges / FOLDED_PER_INSTRUCTION : 0;
        this.size = Math.min(
                MANY, group.size() + 2 + tables * UNICODE_CLASS + folded + text.length() / CHARACTERS_PER_INSTRUCTION);
    }

    /** Returns the estimated number of instructions, at most {@link #MANY}. */
    long size() {
        return size;
    }

    /** Returns whether RE2/J would never finish compiling the expression. */
    boolean foldsWithoutEnd() {
        return ignoresCase && endless;
    }

    /** The expression between two parentheses. */
    private static final class Group {
        private final int own;
        private long before;
        private long last;

        Group(int own) {
            this.own = own;
        }

        void atom(long size) {
            before = Math.min(MANY, before + last);
            last = Math.min(MANY, size);
        }

        /**
         * Multiplies the size of the last atom by a repetition.
         *
         * @param most the maximum number of repetitions; 0 = no maximum
         */
        void repeat(long least, long most) {
            long copies = Math.max(1, Math.max(least, most));
            last = Math.min(MANY, last * copies + OPTIONAL * Math.max(1, most - least));
        }

        long size() {
            return Math.min(MANY, own + before + last + 1);
        }
    }

    private void next() {
        char c = text.charAt(at);
        switch (c) {
            case '(' -> open();
            case ')' -> {
                at++;
                close();
            }
            case '|' -> {
                at++;
                group.atom(BRANCH);
                group.atom(0);
            }
            case '*', '+', '?' -> {
                at++;
                group.repeat(0, 0);
                skip('?');
            }
            case '{' -> repetition();
            case '[' -> characterClass();
            case '\\' -> escape();
            default -> {
                character();
                group.atom(1);
            }
        }
    }

    private void open() {
        at++;
        if (text.startsWith("?P<", at) || text.startsWith("?<", at)) {
            skipBehind('>');
        } else if (text.startsWith("?", at)) {
            at++;
            boolean cleared = false;
            while (at < text.length() && text.charAt(at) != ':' && text.charAt(at) != ')') {
                char flag = text.charAt(at++);
                cleared |= flag == '-';
                ignoresCase |= flag == 'i' && !cleared;
            }
            if (skip(')')) {
                return;
            }
            skip(':');
        }
        outer.push(group);
        group = new Group(GROUP);
    }

    private void close() {
        if (!outer.isEmpty()) {
            long inner = group.size();
            group = outer.pop();
            group.atom(inner);
        }
    }

    /** Reads {@code {n}}, {@code {n,}} or {@code {n,m}}; any other brace is a literal. */
    private void repetition() {
        int end = text.indexOf('}', at);
        String inside = end < 0 ? "" : text.substring(at + 1, Math.min(end, at + 12));
        int comma = inside.indexOf(',');
        long least = number(comma < 0 ? inside : inside.substring(0, comma));
        String behind = comma < 0 ? "" : inside.substring(comma + 1);
        long most = comma < 0 ? least : behind.isEmpty() ? 0 : number(behind);
        if (least < 0 || most < 0) {
            at++;
            group.atom(1);
            return;
        }
        at = end + 1;
        group.repeat(least, most);
        skip('?');
    }

    private static long number(String digits) {
        boolean good = !digits.isEmpty() && digits.chars().allMatch(c -> c >= '0' && c <= '9');
        return good ? Long.parseLong(digits) : -1;
    }

    private void escape() {
        if (text.startsWith("\\Q", at)) {
            int end = text.indexOf("\\E", at + 2);
            int stop = end < 0 ? text.length() : end;
            for (at += 2; at < stop; ) {
                character();
                group.atom(1);
            }
            at = end < 0 ? stop : stop + 2;
            return;
        }
        if (!unicodeClass()) {
            escapedCharacter();
        }
        group.atom(1);
    }

    private void characterClass() {
        at++;
        skip('^');
        for (boolean first = true; at < text.length() && (first || text.charAt(at) != ']'); first = false) {
            int name = text.startsWith("[:", at) ? text.indexOf(":]", at + 2) : -1;
            if (name >= 0) {
                at = name + 2;
            } else if (!unicodeClass()) {
                range();
            }
        }
        skip(']');
        group.atom(1);
    }

    private void range() {
        int low = classCharacter();
        int high = low;
        if (at + 1 < text.length() && text.charAt(at) == '-' && text.charAt(at + 1) != ']') {
            at++;
            high = classCharacter();
        }
        if (low > FIRST_FOLDED || high < LAST_FOLDED) {
            inRanges += Math.max(0, high - low);
            endless |= low <= LAST_ENDLESS && high >= FIRST_ENDLESS;
        }
    }

    private int classCharacter() {
        return text.charAt(at) == '\\' ? escapedCharacter() : character();
    }

    private boolean unicodeClass() {
        if (!text.startsWith("\\p", at) && !text.startsWith("\\P", at)) {
            return false;
        }
        tables++;
        at += 2;
        if (text.startsWith("{", at)) {
            skipBehind('}');
        } else if (at < text.length()) {
            at += Character.charCount(text.codePointAt(at));
        }
        return true;
    }

    /**
     * Reads an escape sequence.
     *
     * @return the character; -1 for a class such as {@code \d}, or if there is no character
     */
    private int escapedCharacter() {
        at++;
        if (at >= text.length()) {
            return -1;
        }
        char c = text.charAt(at);
        if (c != 'x' && (c < '0' || c > '7')) {
            return Character.isLetterOrDigit(c) ? ignore() : character();
        }
        if (text.startsWith("x{", at)) {
            int end = text.indexOf('}', at);
            int from = at + 2;
            at = end < 0 ? text.length() : end + 1;
            return noted(value(text.substring(from, Math.max(from, end)), 16));
        }
        int from = c == 'x' ? at + 1 : at;
        int longest = c == 'x' ? 2 : 3;
        int radix = c == 'x' ? 16 : 8;
        at = from;
        while (at < text.length() && at < from + longest && Character.digit(text.charAt(at), radix) >= 0) {
            at++;
        }
        return value(text.substring(from, at), radix);
    }

    private static int value(String digits, int radix) {
        try {
            return digits.isEmpty() ? -1 : Integer.parseInt(digits, radix);
        } catch (NumberFormatException e) {
            return -1;
        }
    }

    private int ignore() {
        at++;
        return -1;
    }

    private int character() {
        int c = text.codePointAt(at);
        at += Character.charCount(c);
        return noted(c);
    }

    private int noted(int c) {
        endless |= c >= FIRST_ENDLESS && c <= LAST_ENDLESS;
        return c;
    }

    private boolean skip(char expected) {
        boolean there = at < text.length() && text.charAt(at) == expected;
        at += there ? 1 : 0;
        return there;
    }

    private void skipBehind(char last) {
        int end = text.indexOf(last, at);
        at = end < 0 ? text.length() : end + 1;
    }
}
