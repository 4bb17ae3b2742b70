package dev.lychgate.server.origin;

/**
 * What a request asks for, read from its target.
 *
 * @param path the path as sent
 * @param length bytes of the body; -1 = not asked for
 * @param delay wait before the answer, ms
 * @param dither upper bound of a random wait on top, ms
 * @param status the answer's status
 * @param count lines of {@code /events}
 * @param chunked chunks instead of a Content-Length
 * @param close close the connection afterwards
 * @param echo send the request's body back
 */
record Ask(
        String path,
        long length,
        int delay,
        int dither,
        int status,
        int count,
        boolean chunked,
        boolean close,
        boolean echo) {
    private static final int LONGEST_DELAY = 600_000;
    private static final int MOST_EVENTS = 100_000;
    private static final long LARGEST = 1L << 40;

    /**
     * Reads a target.
     *
     * @throws IllegalArgumentException with a sentence for the client
     */
    static Ask of(String target) {
        int mark = target.indexOf('?');
        String path = mark < 0 ? target : target.substring(0, mark);
        long length = -1;
        int delay = 0;
        int dither = 0;
        int status = 200;
        int count = 10;
        boolean chunked = false;
        boolean close = false;
        boolean echo = path.equals("/echo");
        int from = mark < 0 ? target.length() : mark + 1;
        while (from < target.length()) {
            int to = target.indexOf('&', from);
            to = to < 0 ? target.length() : to;
            int equals = target.indexOf('=', from);
            boolean bare = equals < 0 || equals >= to;
            String name = target.substring(from, bare ? to : equals);
            String value = bare ? "true" : target.substring(equals + 1, to);
            switch (name) {
                case "length" -> length = number(name, value, LARGEST);
                case "delay" -> delay = (int) number(name, value, LONGEST_DELAY);
                case "dither" -> dither = (int) number(name, value, LONGEST_DELAY);
                case "status" -> status = status(value);
                case "count" -> count = (int) number(name, value, MOST_EVENTS);
                case "chunked" -> chunked = value.equals("true");
                case "close" -> close = value.equals("true");
                case "echo" -> echo |= !value.equals("false");
                default -> {} // anything else is somebody's test
            }
            from = to + 1;
        }
        return new Ask(path, length, delay, dither, status, count, chunked, close, echo);
    }

    /** An answer of ours, whatever was asked. */
    static Ask refused() {
        return new Ask("/", -1, 0, 0, 400, 0, false, true, false);
    }

    private static int status(String value) {
        int status = (int) number("status", value, 599);
        if (status < 200) {
            throw new IllegalArgumentException("status: expected 200 to 599");
        }
        return status;
    }

    private static long number(String name, String value, long most) {
        long number = 0;
        boolean fits = !value.isEmpty() && value.length() <= 13;
        for (int i = 0; fits && i < value.length(); i++) {
            int digit = value.charAt(i) - '0';
            fits = digit >= 0 && digit <= 9;
            number = number * 10 + digit;
        }
        if (!fits || number > most) {
            throw new IllegalArgumentException(name + ": expected 0 to " + most);
        }
        return number;
    }
}
