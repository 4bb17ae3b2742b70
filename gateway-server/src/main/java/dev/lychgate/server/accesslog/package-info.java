/**
 * The access log. An exchange that is over arrives here on its event loop, is copied into an
 * {@link dev.lychgate.server.accesslog.AccessRecord} and offered to a bounded queue; one thread formats and writes. No
 * event loop ever waits for a disk or a pipe: what does not fit into the queue is dropped and counted.
 */
@NullMarked
package dev.lychgate.server.accesslog;

import org.jspecify.annotations.NullMarked;
