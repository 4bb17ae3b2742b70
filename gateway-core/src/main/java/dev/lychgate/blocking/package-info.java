/**
 * The threads of blocking filters: a call arrives from an event loop, runs on a thread that may block, and completes a future
 * that the loop awaits. {@link dev.lychgate.blocking.BlockingThreads} bounds the calls per process and per filter, and reports
 * those that do not return after they were cancelled. It knows filters and no exchange.
 */
@NullMarked
package dev.lychgate.blocking;

import org.jspecify.annotations.NullMarked;
