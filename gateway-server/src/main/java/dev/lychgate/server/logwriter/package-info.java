/**
 * Bounded queues and the threads that write them: of the access log and of the application log. Producers never wait; what
 * does not fit into a queue is dropped, counted and reported in the application log.
 */
@NullMarked
package dev.lychgate.server.logwriter;

import org.jspecify.annotations.NullMarked;
