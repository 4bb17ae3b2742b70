/**
 * Finds installed extensions and opens those that a configuration uses. A section of the configuration arrives here; filters of
 * the extension leave. Used while a configuration is read and a generation is built.
 */
@NullMarked
package dev.lychgate.server.extensions;

import org.jspecify.annotations.NullMarked;
