/**
 * The access log. When an exchange is complete, its event loop copies the logged values into an
 * {@link dev.lychgate.server.accesslog.AccessRecord} and offers the record to a bounded queue. One thread formats and
 * writes the records. Event loops never wait for a disk or a pipe; records that do not fit into the queue are dropped
 * and counted.
 */
@NullMarked
package dev.lychgate.server.accesslog;

import org.jspecify.annotations.NullMarked;
