package dev.lychgate.config;

/**
 * The limits for HTTP/2 clients of a listener. With TLS, client and gateway negotiate HTTP/2 by ALPN. Without TLS, the
 * gateway detects the connection preface of HTTP/2.
 */
public record Http2Config(int streams, ByteSize streamWindow, ByteSize connectionWindow, int resets) {
    private static final Key<Integer> STREAMS = Key.number("streams", 100)
            .between(1, 10_000)
            .about("the maximum number of concurrent requests on one connection");

    private static final Key<ByteSize> STREAM_WINDOW = Key.size("stream-window", "256KiB")
            .between("16KiB", "64MiB")
            .about("the maximum number of bytes of one request body that a client may send before the origin reads "
                    + "them");
    private static final Key<ByteSize> CONNECTION_WINDOW = Key.size("connection-window", "1MiB")
            .between("64KiB", "256MiB")
            .about(
                    "the maximum number of bytes of all request bodies on one connection that a client may send before the "
                            + "origins read them; this limit bounds the memory per connection");
    private static final Key<Integer> RESETS = Key.number("resets", 200)
            .between(0, 1_000_000)
            .about("the maximum number of streams of one connection that may end by a reset, from either side, in a "
                    + "burst; after a burst, the same number may be reset in each further 30 s; `0` = no limit");

    static final Keys<Http2Config> KEYS = Keys.of(Http2Config::new, STREAMS, STREAM_WINDOW, CONNECTION_WINDOW, RESETS);

    public static final Http2Config DEFAULT = KEYS.defaults();

    public Http2Config {
        KEYS.check(streams, streamWindow, connectionWindow, resets);
    }
}
