/**
 * Generations from files: reads the configuration and the filter directory, builds a generation of both, and lets it take
 * over when either changes. What is refused is logged and remembered, and the running generation goes on. The newest that
 * were taken are kept for going back to.
 */
@NullMarked
package dev.lychgate.server.reload;

import org.jspecify.annotations.NullMarked;
