/**
 * Logs failed exchanges in the application log. The number of lines is limited, even if many exchanges fail. The access
 * log contains each failure, and the metrics count the failures.
 */
@NullMarked
package dev.lychgate.server.errorlog;

import org.jspecify.annotations.NullMarked;
