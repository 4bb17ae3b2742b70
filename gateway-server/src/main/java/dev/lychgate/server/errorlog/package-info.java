/**
 * Logs failed exchanges in the application log. Only few lines are logged, however many exchanges fail. This suffices,
 * because the access log contains each failure and the metrics count the failures.
 */
@NullMarked
package dev.lychgate.server.errorlog;

import org.jspecify.annotations.NullMarked;
