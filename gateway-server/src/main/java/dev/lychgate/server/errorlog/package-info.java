/**
 * Logs failed exchanges in the application log. The number of these lines stays small, regardless of how many exchanges
 * fail, because the access log contains each failure and the metrics count failures.
 */
@NullMarked
package dev.lychgate.server.errorlog;

import org.jspecify.annotations.NullMarked;
