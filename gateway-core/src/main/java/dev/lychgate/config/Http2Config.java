package dev.lychgate.config;

/**
 * What a listener takes of clients that speak HTTP/2: chosen by ALPN where there is TLS, and known by its first bytes where
 * there is none.
 *
 * @param streams requests that one connection may have under way at once; default 100
 * @param streamWindow how much of one request's body a client may send ahead of its origin; default 256KiB
 * @param connectionWindow the same for all requests of a connection together; default 1MiB
 * @param resets streams of one connection that may end by a reset at once, whoever has written it, and then per 30 s; 0 = no
 *     limit; default 200
 */
public record Http2Config(int streams, ByteSize streamWindow, ByteSize connectionWindow, int resets) {
    public static final Http2Config DEFAULT = new Http2Config(100, ByteSize.ofKiB(256), ByteSize.ofKiB(1024), 200);

    public Http2Config {
        Expect.between(1, 10_000, "streams", streams);
        Expect.that(
                streamWindow.bytes() >= 16 << 10 && streamWindow.bytes() <= 64 << 20,
                "stream-window",
                streamWindow,
                "16KiB to 64MiB");
        Expect.that(
                connectionWindow.bytes() >= 64 << 10 && connectionWindow.bytes() <= 256 << 20,
                "connection-window",
                connectionWindow,
                "64KiB to 256MiB");
        Expect.between(0, 1_000_000, "resets", resets);
    }
}
