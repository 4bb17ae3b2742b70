package dev.lychgate.config;

import static dev.lychgate.config.Key.number;
import static dev.lychgate.config.Key.size;

/**
 * What a listener takes of clients that speak HTTP/2: chosen by ALPN where there is TLS, and known by its first bytes where
 * there is none.
 */
public record Http2Config(int streams, ByteSize streamWindow, ByteSize connectionWindow, int resets) {
    private static final Key<Integer> STREAMS =
            number("streams", 100).between(1, 10_000).about("requests that one connection may have under way at once");

    private static final Key<ByteSize> STREAM_WINDOW = size("stream-window", "256KiB")
            .between("16KiB", "64MiB")
            .about("how much of one request's body a client may send ahead of its origin");
    private static final Key<ByteSize> CONNECTION_WINDOW = size("connection-window", "1MiB")
            .between("64KiB", "256MiB")
            .about("the same for all requests of a connection together: the most that it makes the gateway keep");
    private static final Key<Integer> RESETS = number("resets", 200)
            .between(0, 1_000_000)
            .about("streams of one connection that may end by a reset at once, whoever wrote it, and then per "
                    + "30 s; 0 = no limit");

    public static final Http2Config DEFAULT = read(Key.DEFAULTS);

    public Http2Config {
        STREAMS.check(streams);
        STREAM_WINDOW.check(streamWindow);
        CONNECTION_WINDOW.check(connectionWindow);
        RESETS.check(resets);
    }

    /** Reads a section. */
    static Http2Config read(Key.Values values) {
        return new Http2Config(
                values.get(STREAMS), values.get(STREAM_WINDOW), values.get(CONNECTION_WINDOW), values.get(RESETS));
    }
}
