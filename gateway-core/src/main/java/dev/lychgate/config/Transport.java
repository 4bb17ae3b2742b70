package dev.lychgate.config;

/** The interface of the operating system that serves the sockets. */
public enum Transport {
    /** epoll if the machine supports it; otherwise, NIO. */
    AUTO,
    /** Linux epoll. */
    EPOLL,
    /** Linux io_uring, which requires kernel 6.1 or newer. Measure its performance before you choose it. */
    IO_URING,
    /** NIO of the JDK, on every platform. */
    NIO
}
