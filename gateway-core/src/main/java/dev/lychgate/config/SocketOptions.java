package dev.lychgate.config;

/** The socket settings of a listener. */
public record SocketOptions(
        int backlog,
        boolean reusePort,
        ByteSize receiveBuffer,
        ByteSize sendBuffer,
        ByteSize lowWatermark,
        ByteSize highWatermark,
        ByteSize splice) {
    /** The minimum length of a body for which splicing costs less than copying. */
    public static final ByteSize LEAST_SPLICE = ByteSize.ofKiB(32);

    private static final Key<Integer> BACKLOG = Key.number("backlog", 4096)
            .unit("connections")
            .between(1, 65535)
            .about("the maximum number of connections that the kernel queues per listening socket before they are "
                    + "accepted; capped by `net.core.somaxconn`; on Linux, up to 8 sockets share the port, so that "
                    + "their queues together have room for `limits.connections`");

    private static final Key<Boolean> REUSE_PORT = Key.flag("reuse-port", false)
            .about("opens one listening socket per event loop (SO_REUSEPORT), for heavy connection churn; "
                    + "needs epoll or io_uring");
    private static final Key<ByteSize> RECEIVE_BUFFER = Key.size("receive-buffer", "0")
            .atMost("1GiB")
            .about("the size of the receive buffer (SO_RCVBUF); `0` = the size that the system chooses and adapts");
    private static final Key<ByteSize> SEND_BUFFER = Key.size("send-buffer", "0")
            .atMost("1GiB")
            .about("the size of the send buffer (SO_SNDBUF); `0` = the size that the system chooses");
    private static final Key<ByteSize> LOW_WATERMARK = Key.size("low-watermark", "64KiB")
            .atLeast("1KiB")
            .about("the number of pending bytes below which a connection becomes writable again");
    private static final Key<ByteSize> HIGH_WATERMARK = Key.size("high-watermark", "256KiB")
            .atMost("1GiB")
            .about("the number of pending bytes above which a connection is not writable; at least "
                    + "`low-watermark`");
    private static final Key<ByteSize> SPLICE = Key.size("splice", "0")
            .zeroOrAtLeast("32KiB")
            .about("the minimum length of response bodies that are [spliced](splice.md), that is, forwarded within the "
                    + "kernel, if possible; `0` = no body is spliced");

    static final Keys<SocketOptions> KEYS = Keys.of(
            SocketOptions::new,
            BACKLOG,
            REUSE_PORT,
            RECEIVE_BUFFER,
            SEND_BUFFER,
            LOW_WATERMARK,
            HIGH_WATERMARK,
            SPLICE);

    public static final SocketOptions DEFAULT = KEYS.defaults();

    public SocketOptions {
        KEYS.check(backlog, reusePort, receiveBuffer, sendBuffer, lowWatermark, highWatermark, splice);
        Expect.that(
                highWatermark.bytes() >= lowWatermark.bytes(),
                "high-watermark",
                highWatermark,
                "at least the value of low-watermark (" + lowWatermark + ")");
    }

    /** Creates options without splicing. */
    public SocketOptions(
            int backlog,
            boolean reusePort,
            ByteSize receiveBuffer,
            ByteSize sendBuffer,
            ByteSize lowWatermark,
            ByteSize highWatermark) {
        this(backlog, reusePort, receiveBuffer, sendBuffer, lowWatermark, highWatermark, new ByteSize(0));
    }

    /** Returns these options with another minimum length of spliced bodies. */
    public SocketOptions withSplice(ByteSize other) {
        return new SocketOptions(backlog, reusePort, receiveBuffer, sendBuffer, lowWatermark, highWatermark, other);
    }
}
