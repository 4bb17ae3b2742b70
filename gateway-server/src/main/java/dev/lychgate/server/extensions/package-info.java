/**
 * Finds installed extensions and opens the configured ones. A section of the configuration enters; filters of the extension
 * leave. Used while a configuration is read and a generation is built.
 */
@NullMarked
package dev.lychgate.server.extensions;

import org.jspecify.annotations.NullMarked;
