package dev.lychgate.config;

import static dev.lychgate.config.Key.flag;
import static dev.lychgate.config.Key.number;
import static dev.lychgate.config.Key.size;

/**
 * Socket settings of a listener.
 */
public record SocketOptions(
        int backlog,
        boolean reusePort,
        ByteSize receiveBuffer,
        ByteSize sendBuffer,
        ByteSize lowWatermark,
        ByteSize highWatermark,
        ByteSize splice) {
    /** Below this a pipe is more work than a copy. */
    public static final ByteSize LEAST_SPLICE = ByteSize.ofKiB(32);

    private static final Key<Integer> BACKLOG = number("backlog", 4096)
            .unit("connections")
            .between(1, 65535)
            .about("connections the kernel may hold per listening socket before they are accepted; capped by "
                    + "`net.core.somaxconn`; on Linux up to 8 sockets share the port, so that together they hold "
                    + "what `limits.connections` allows");

    private static final Key<Boolean> REUSE_PORT = flag("reuse-port", false)
            .about("one listening socket per event loop (SO_REUSEPORT), for heavy connection churn; needs epoll "
                    + "or io_uring");
    private static final Key<ByteSize> RECEIVE_BUFFER =
            size("receive-buffer", "0").atMost("1GiB").about("SO_RCVBUF; `0` = the system's, which tunes itself");
    private static final Key<ByteSize> SEND_BUFFER =
            size("send-buffer", "0").atMost("1GiB").about("SO_SNDBUF; `0` = the system's");
    private static final Key<ByteSize> LOW_WATERMARK = size("low-watermark", "64KiB")
            .atLeast("1KiB")
            .about("with fewer bytes waiting to be sent a connection takes more again");
    private static final Key<ByteSize> HIGH_WATERMARK = size("high-watermark", "256KiB")
            .atMost("1GiB")
            .about("with more bytes waiting to be sent a connection takes no more; at least `low-watermark`");
    private static final Key<ByteSize> SPLICE = size("splice", "0")
            .zeroOrAtLeast("32KiB")
            .about("bodies of answers that are at least so long [stay in the kernel](splice.md) on their way, "
                    + "where that is possible; `0` = none");

    public static final SocketOptions DEFAULT = read(Key.DEFAULTS);

    public SocketOptions {
        BACKLOG.check(backlog);
        RECEIVE_BUFFER.check(receiveBuffer);
        SEND_BUFFER.check(sendBuffer);
        LOW_WATERMARK.check(lowWatermark);
        HIGH_WATERMARK.check(highWatermark);
        SPLICE.check(splice);
        Expect.that(
                highWatermark.bytes() >= lowWatermark.bytes(),
                "high-watermark",
                highWatermark,
                "at least low-watermark (" + lowWatermark + ")");
    }

    /** Reads a section. */
    static SocketOptions read(Key.Values values) {
        return new SocketOptions(
                values.get(BACKLOG),
                values.get(REUSE_PORT),
                values.get(RECEIVE_BUFFER),
                values.get(SEND_BUFFER),
                values.get(LOW_WATERMARK),
                values.get(HIGH_WATERMARK),
                values.get(SPLICE));
    }

    /** Options of a socket to which everything is copied. */
    public SocketOptions(
            int backlog,
            boolean reusePort,
            ByteSize receiveBuffer,
            ByteSize sendBuffer,
            ByteSize lowWatermark,
            ByteSize highWatermark) {
        this(backlog, reusePort, receiveBuffer, sendBuffer, lowWatermark, highWatermark, new ByteSize(0));
    }

    /** These options with bodies spliced from another length on. */
    public SocketOptions withSplice(ByteSize other) {
        return new SocketOptions(backlog, reusePort, receiveBuffer, sendBuffer, lowWatermark, highWatermark, other);
    }
}
