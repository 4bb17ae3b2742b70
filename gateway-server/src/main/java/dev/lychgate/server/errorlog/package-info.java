/**
 * Application log lines for failed exchanges. These lines make failures visible in the application log. Their number
 * stays small, regardless of how many exchanges fail: the access log records each failure, and the metrics count
 * failures.
 */
@NullMarked
package dev.lychgate.server.errorlog;

import org.jspecify.annotations.NullMarked;
