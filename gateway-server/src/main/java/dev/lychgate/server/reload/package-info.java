/**
 * Builds generations from files: reads the configuration and the filter directory, builds a generation from both at startup and
 * when either changes, and puts it into force. A refused change is logged and recorded, and the running generation stays in
 * force. The newest accepted generations are retained for rollback.
 */
@NullMarked
package dev.lychgate.server.reload;

import org.jspecify.annotations.NullMarked;
