package dev.lychgate.config;

/** The system interface under the sockets. */
public enum Transport {
    /** epoll where the machine has it, else NIO. */
    AUTO,
    /** Linux epoll. */
    EPOLL,
    /** Linux io_uring, kernel 6.1 or newer; measure before you choose it. */
    IO_URING,
    /** The JDK's own, everywhere. */
    NIO
}
