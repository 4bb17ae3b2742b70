/**
 * Bodies that never leave the kernel: from one socket into a pipe, and from the pipe into the other socket. A piece of such a
 * body goes the way that a buffer would go, by what it is written to and with the same backpressure; what it carries is in its
 * pipe. Linux alone, by Netty's epoll transport. Commons: knows no station.
 */
@NullMarked
package dev.lychgate.splice;

import org.jspecify.annotations.NullMarked;
