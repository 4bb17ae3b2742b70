/**
 * The access log. A completed exchange is copied on its event loop into an
 * {@link dev.lychgate.server.accesslog.AccessRecord}, which is offered to a bounded queue. One thread formats and writes.
 * No event loop waits for a disk or a pipe: records that do not fit into the queue are dropped and counted.
 */
@NullMarked
package dev.lychgate.server.accesslog;

import org.jspecify.annotations.NullMarked;
