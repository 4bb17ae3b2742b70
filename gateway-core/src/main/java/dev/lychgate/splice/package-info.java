/**
 * Transfer of bodies within the kernel: from one socket into a pipe, and from the pipe into another socket. A spliced
 * chunk takes the same path as a buffer, with the same backpressure. Splicing requires Linux and Netty's epoll
 * transport. The packages {@code listener} and {@code origin} use this package, which depends on no stage of the
 * request path.
 */
@NullMarked
package dev.lychgate.splice;

import org.jspecify.annotations.NullMarked;
