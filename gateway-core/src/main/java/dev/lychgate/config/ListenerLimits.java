package dev.lychgate.config;

import static dev.lychgate.config.Key.number;
import static dev.lychgate.config.Key.size;

/**
 * What one listener takes from its clients.
 */
public record ListenerLimits(
        int connections, ByteSize startLine, int headerCount, ByteSize headerBytes, ByteSize body) {
    private static final Key<Integer> CONNECTIONS = number("connections", 20_000)
            .unit("connections")
            .atLeast(1)
            .about("open client connections per process; beyond it no more are accepted until one closes; fewer "
                    + "if the process may open [too few files](#open-files)");

    private static final Key<ByteSize> START_LINE =
            size("start-line", "16KiB").between("256B", "1MiB").about("longest request line; beyond it 414");
    private static final Key<Integer> HEADER_COUNT = number("header-count", 128)
            .unit("fields")
            .between(8, 10_000)
            .about("most header fields, and most trailer fields; beyond it 431");
    private static final Key<ByteSize> HEADER_BYTES =
            size("header-bytes", "64KiB").between("1KiB", "8MiB").about("largest header section; beyond it 431");
    private static final Key<ByteSize> BODY =
            size("body", "0").about("longest request body; beyond it 413; `0` = no limit");

    public static final ListenerLimits DEFAULT = read(Key.DEFAULTS);

    public ListenerLimits {
        CONNECTIONS.check(connections);
        START_LINE.check(startLine);
        HEADER_COUNT.check(headerCount);
        HEADER_BYTES.check(headerBytes);
    }

    /** Reads a section. */
    static ListenerLimits read(Key.Values values) {
        return new ListenerLimits(
                values.get(CONNECTIONS),
                values.get(START_LINE),
                values.get(HEADER_COUNT),
                values.get(HEADER_BYTES),
                values.get(BODY));
    }
}
