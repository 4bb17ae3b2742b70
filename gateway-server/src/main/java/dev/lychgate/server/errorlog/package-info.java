/**
 * Lines in the application log for exchanges that failed: few, however many fail. The access log has every one of them,
 * the metrics count them; these are for whoever looks at the log first.
 */
@NullMarked
package dev.lychgate.server.errorlog;

import org.jspecify.annotations.NullMarked;
