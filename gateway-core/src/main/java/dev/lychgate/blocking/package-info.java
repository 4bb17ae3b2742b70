/**
 * Threads of blocking filters. A call from an event loop runs on a thread that may block, and completes a future for
 * the loop. {@link dev.lychgate.blocking.BlockingThreads} limits the calls per process and per filter, and reports
 * calls that do not return after they were cancelled. This package depends on filters but not on exchanges.
 */
@NullMarked
package dev.lychgate.blocking;

import org.jspecify.annotations.NullMarked;
