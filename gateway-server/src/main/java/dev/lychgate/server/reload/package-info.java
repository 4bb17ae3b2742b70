/**
 * Builds generations from files. At startup, and when the configuration or the filter directory changes, this package
 * reads both, builds a generation, and puts the generation into force. A refused change is logged and recorded, and the
 * running generation stays in force. The newest accepted generations are retained for rollback.
 */
@NullMarked
package dev.lychgate.server.reload;

import org.jspecify.annotations.NullMarked;
