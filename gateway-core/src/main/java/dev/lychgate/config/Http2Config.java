package dev.lychgate.config;

/**
 * What a listener takes of clients that speak HTTP/2: chosen by ALPN where there is TLS, and known by its first bytes where
 * there is none.
 */
public record Http2Config(int streams, ByteSize streamWindow, ByteSize connectionWindow, int resets) {
    private static final Key<Integer> STREAMS = Key.number("streams", 100)
            .between(1, 10_000)
            .about("requests that one connection may have under way at once");

    private static final Key<ByteSize> STREAM_WINDOW = Key.size("stream-window", "256KiB")
            .between("16KiB", "64MiB")
            .about("how much of one request's body a client may send ahead of its origin");
    private static final Key<ByteSize> CONNECTION_WINDOW = Key.size("connection-window", "1MiB")
            .between("64KiB", "256MiB")
            .about("the same for all requests of a connection together: the most that it makes the gateway keep");
    private static final Key<Integer> RESETS = Key.number("resets", 200)
            .between(0, 1_000_000)
            .about("streams of one connection that may end by a reset at once, whoever wrote it, and then per "
                    + "30 s; 0 = no limit");

    static final Keys<Http2Config> KEYS = Keys.of(Http2Config::new, STREAMS, STREAM_WINDOW, CONNECTION_WINDOW, RESETS);

    public static final Http2Config DEFAULT = KEYS.defaults();

    public Http2Config {
        KEYS.check(streams, streamWindow, connectionWindow, resets);
    }
}
