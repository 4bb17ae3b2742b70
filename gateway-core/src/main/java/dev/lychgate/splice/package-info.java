/**
 * Body transfer within the kernel: from one socket into a pipe, and from the pipe into another socket. A spliced chunk
 * follows the same path as a buffer, with the same backpressure. Requires Linux and Netty's epoll transport. Shared package
 * that does not depend on any stage of the request path.
 */
@NullMarked
package dev.lychgate.splice;

import org.jspecify.annotations.NullMarked;
