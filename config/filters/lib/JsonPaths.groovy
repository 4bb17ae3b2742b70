/**
 * Reads JSON byte by byte and reports texts and numbers with their path, such as {@code usage/input_tokens}. Values in arrays are not
 * reported. The reader keeps only the names of the open objects and the current value, each up to a limit. It does not validate the JSON.
 */
class JsonPaths {
    interface Values {
        /** Reports a text or a number. @param path the names of the enclosing objects and of the value, with slashes between them */
        void value(String path, String text)

        /** Reports a complete object. @param path empty for the outermost object */
        void closed(String path)
    }

    /** Nesting depth beyond which values are not reported. */
    private static final int DEEPEST = 4
    /** Length beyond which names and values are not reported, in bytes. */
    private static final int LONGEST = 128
    /** Stands for a name that is missing, too long, or has an escape. */
    private static final String NO_NAME = '\u0000'

    private static final int QUOTE = 0x22
    private static final int BACKSLASH = 0x5c
    private static final int PLUS = 0x2b
    private static final int COMMA = 0x2c
    private static final int MINUS = 0x2d
    private static final int COLON = 0x3a

    private final Values values
    private final String[] names = new String[DEEPEST]
    private final StringBuilder text = new StringBuilder()
    private int depth
    /** Number of open arrays, and of objects and arrays that are open within them. */
    private int ignored
    private boolean inText
    private boolean escaped
    private boolean inNumber
    private boolean named
    /** False if the current text is too long or has an escape. */
    private boolean complete

    JsonPaths(Values values) {
        this.values = values
    }

    /** Prepares for another document. */
    void reset() {
        depth = 0
        ignored = 0
        inText = false
        inNumber = false
        named = false
    }

    /** @param b the next byte, 0 to 255 */
    void next(int b) {
        if (inText) {
            text(b)
        } else if (inNumber && isNumber(b)) {
            append(b)
        } else {
            if (inNumber) {
                inNumber = false
                report()
            }
            begin(b)
        }
    }

    private static boolean isNumber(int b) {
        // The signs, digits, "." and exponents.
        b >= 0x30 && b <= 0x39 || b == MINUS || b == PLUS || b == 0x2e || (b | 0x20) == 0x65
    }

    private void begin(int b) {
        if (b == QUOTE) {
            clear()
            inText = true
        } else if (b == COLON) {
            named = true
        } else if (b == COMMA) {
            named = false
        } else if (b == 0x7b) {
            open()
        } else if (b == 0x7d) {
            close()
        } else if (b == 0x5b) {
            ignored++
        } else if (b == 0x5d) {
            ignored = Math.max(0, ignored - 1)
        } else if (b == MINUS || b >= 0x30 && b <= 0x39) {
            clear()
            inNumber = true
            append(b)
        }
    }

    private void text(int b) {
        if (escaped) {
            escaped = false
        } else if (b == BACKSLASH) {
            escaped = true
            complete = false
        } else if (b == QUOTE) {
            inText = false
            if (named) {
                report()
            } else if (depth > 0 && depth <= DEEPEST && ignored == 0) {
                names[depth - 1] = complete ? text.toString() : NO_NAME
            }
        } else {
            append(b)
        }
    }

    private void clear() {
        text.setLength(0)
        complete = true
        escaped = false
    }

    private void append(int b) {
        if (text.length() < LONGEST) {
            text.append((char) b)
        } else {
            complete = false
        }
    }

    private void open() {
        if (ignored > 0) {
            ignored++
        } else {
            depth++
            if (depth <= DEEPEST) {
                names[depth - 1] = NO_NAME
            }
        }
        named = false
    }

    private void close() {
        if (ignored > 0) {
            ignored--
        } else if (depth > 0) {
            depth--
            if (depth <= DEEPEST) {
                values.closed(path(depth))
            }
        }
        named = false
    }

    private void report() {
        if (named && complete && ignored == 0 && depth > 0 && depth <= DEEPEST) {
            values.value(path(depth), text.toString())
        }
    }

    private String path(int length) {
        String path = ''
        for (int i = 0; i < length; i++) {
            path = i == 0 ? names[0] : path + '/' + names[i]
        }
        path
    }
}
