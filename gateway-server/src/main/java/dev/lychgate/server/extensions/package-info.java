/**
 * Finds installed extensions and opens the configured ones. Input: a section of the configuration. Output: the filters
 * of the extension. Used while a configuration is read and a generation is built.
 */
@NullMarked
package dev.lychgate.server.extensions;

import org.jspecify.annotations.NullMarked;
