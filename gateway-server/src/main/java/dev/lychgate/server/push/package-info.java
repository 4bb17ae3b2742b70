/**
 * Sends what the gateway has to tell (metrics, spans, lines of a log) to a receiver over HTTP. Bodies that others have made
 * arrive here from any thread, wait in a bounded queue and leave in order on a thread of their own; traffic neither waits
 * for the receiver nor notices that it is gone.
 */
@NullMarked
package dev.lychgate.server.push;

import org.jspecify.annotations.NullMarked;
