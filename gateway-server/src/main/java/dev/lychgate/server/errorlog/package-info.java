/**
 * Application log lines for failed exchanges. Their number stays small however many exchanges fail: the access log records
 * each failure, and the metrics count them. These lines make failures visible in the application log.
 */
@NullMarked
package dev.lychgate.server.errorlog;

import org.jspecify.annotations.NullMarked;
