/**
 * Bounded queues and writer threads for the access log and the application log. Producers never wait. Items that do not
 * fit into a queue are dropped and counted, and their number is logged in the application log.
 */
@NullMarked
package dev.lychgate.server.logwriter;

import org.jspecify.annotations.NullMarked;
