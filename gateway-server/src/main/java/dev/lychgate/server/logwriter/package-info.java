/**
 * Bounded queues and writer threads of the access log and the application log. Producers never wait. Items that do not fit
 * into a queue are dropped, counted and reported in the application log.
 */
@NullMarked
package dev.lychgate.server.logwriter;

import org.jspecify.annotations.NullMarked;
