package dev.lychgate.config;

/**
 * Socket settings of a listener.
 *
 * @param backlog connections the kernel may hold per listening socket before we accept them; default 4096 (the kernel
 *     caps it at {@code net.core.somaxconn}). On Linux as many sockets share the port, at most 8, as it takes to hold
 *     what the listener may take
 * @param reusePort one listening socket per event loop (SO_REUSEPORT), for heavy connection churn; default off: one
 *     acceptor spreads connections evenly
 * @param receiveBuffer SO_RCVBUF; 0 = the system's, which tunes itself
 * @param sendBuffer SO_SNDBUF; 0 = the system's
 * @param lowWatermark a connection with fewer bytes than this waiting to be sent takes more again; default 64KiB
 * @param highWatermark a connection with more bytes than this waiting to be sent takes no more; default 256KiB
 * @param splice bodies of answers that are at least so long stay in the kernel on their way, where that
 *     is possible; 0 = none, the default
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

    public static final SocketOptions DEFAULT =
            new SocketOptions(4096, false, new ByteSize(0), new ByteSize(0), ByteSize.ofKiB(64), ByteSize.ofKiB(256));

    public SocketOptions {
        Expect.between(1, 65535, "backlog", backlog);
        Expect.that(receiveBuffer.bytes() <= 1 << 30, "receive-buffer", receiveBuffer, "at most 1GiB");
        Expect.that(sendBuffer.bytes() <= 1 << 30, "send-buffer", sendBuffer, "at most 1GiB");
        Expect.that(lowWatermark.bytes() >= 1024, "low-watermark", lowWatermark, ">= 1KiB");
        Expect.that(
                highWatermark.bytes() >= lowWatermark.bytes() && highWatermark.bytes() <= 1 << 30,
                "high-watermark",
                highWatermark,
                "at least low-watermark (" + lowWatermark + "), at most 1GiB");
        Expect.that(
                splice.bytes() == 0 || splice.bytes() >= LEAST_SPLICE.bytes(),
                "splice",
                splice,
                "0, or at least " + LEAST_SPLICE);
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
