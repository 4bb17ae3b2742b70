package dev.lychgate.server.origin;

import java.util.HashMap;
import java.util.Map;

/**
 * The response that the target of a request selects. Unknown parameters have no effect.
 *
 * @param path the path as sent
 * @param length length of the body in bytes; -1 if not given
 * @param delay the wait before the request body is read, in milliseconds
 * @param dither upper bound of an additional random wait, in milliseconds
 * @param count number of lines of {@code /events}
 * @param chunked whether the body is chunked instead of having a Content-Length
 * @param close whether the connection is closed after the response
 */
record ResponseOptions(
        String path,
        long length,
        int delay,
        int dither,
        int status,
        int count,
        boolean chunked,
        boolean close,
        boolean echo) {
    /** The response to a malformed request. */
    static final ResponseOptions REFUSED = new ResponseOptions("/", -1, 0, 0, 400, 0, false, true, false);

    private static final int LONGEST_DELAY = 600_000;
    private static final int MOST_EVENTS = 100_000;
    private static final long LARGEST = 1L << 40;

    /**
     * Parses a target.
     *
     * @throws IllegalArgumentException if a parameter is malformed or out of range; the message is for the client
     */
    static ResponseOptions of(String target) {
        int mark = target.indexOf('?');
        String path = mark < 0 ? target : target.substring(0, mark);
        Map<String, String> query = mark < 0 ? Map.of() : query(target.substring(mark + 1));
        return new ResponseOptions(
                path,
                number(query, "length", -1, 0, LARGEST),
                (int) number(query, "delay", 0, 0, LONGEST_DELAY),
                (int) number(query, "dither", 0, 0, LONGEST_DELAY),
                (int) number(query, "status", 200, 200, 599),
                (int) number(query, "count", 10, 0, MOST_EVENTS),
                "true".equals(query.get("chunked")),
                "true".equals(query.get("close")),
                path.equals("/echo") || !query.getOrDefault("echo", "false").equals("false"));
    }

    /**
     * Returns the parameters by name. A parameter without a value has the value {@code true}. The values are not
     * decoded, because no valid value contains an escape.
     */
    private static Map<String, String> query(String query) {
        Map<String, String> parameters = new HashMap<>();
        for (String parameter : query.split("&", -1)) {
            int equals = parameter.indexOf('=');
            parameters.put(
                    equals < 0 ? parameter : parameter.substring(0, equals),
                    equals < 0 ? "true" : parameter.substring(equals + 1));
        }
        return parameters;
    }

    private static long number(Map<String, String> query, String name, long otherwise, long least, long most) {
        String value = query.get(name);
        if (value == null) {
            return otherwise;
        }
        try {
            long number = Long.parseLong(value);
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Rejected below, like a number out of range.
        }
        throw new IllegalArgumentException(name + ": expected " + least + " to " + most);
    }
}
