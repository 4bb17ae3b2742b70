package dev.lychgate.config;

/** The limits of one listener on connections, request heads and request bodies. */
public record ListenerLimits(
        int connections, ByteSize startLine, int headerCount, ByteSize headerBytes, ByteSize body) {
    private static final Key<Integer> CONNECTIONS = Key.number("connections", 20_000)
            .unit("connections")
            .atLeast(1)
            .about("the maximum number of open client connections per process; at this limit, the gateway accepts no "
                    + "connection until another connection closes; the limit is lower if the process may open [too few "
                    + "files](#open-files)");

    private static final Key<ByteSize> START_LINE = Key.size("start-line", "16KiB")
            .between("256B", "1MiB")
            .about("the maximum length of a request line; a longer request line is rejected with 414");
    private static final Key<Integer> HEADER_COUNT = Key.number("header-count", 128)
            .unit("fields")
            .between(8, 10_000)
            .about("the maximum number of header fields, and of trailer fields; a request with more fields is "
                    + "rejected with 431");
    private static final Key<ByteSize> HEADER_BYTES = Key.size("header-bytes", "64KiB")
            .between("1KiB", "8MiB")
            .about("the maximum size of a header section; a larger header section is rejected with 431");
    private static final Key<ByteSize> BODY = Key.size("body", "0")
            .about("the maximum length of a request body; a longer body is rejected with 413; `0` = no limit");

    static final Keys<ListenerLimits> KEYS =
            Keys.of(ListenerLimits::new, CONNECTIONS, START_LINE, HEADER_COUNT, HEADER_BYTES, BODY);

    public static final ListenerLimits DEFAULT = KEYS.defaults();

    public ListenerLimits {
        KEYS.check(connections, startLine, headerCount, headerBytes, body);
    }
}
