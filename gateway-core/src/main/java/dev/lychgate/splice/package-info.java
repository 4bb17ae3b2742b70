/**
 * Body transfer within the kernel: from one socket into a pipe, and from the pipe into another socket. A spliced chunk
 * follows the same path as a buffer, with the same backpressure. Requires Linux and Netty's epoll transport. The
 * listener and the origin share this package, which depends on no stage of the request path.
 */
@NullMarked
package dev.lychgate.splice;

import org.jspecify.annotations.NullMarked;
