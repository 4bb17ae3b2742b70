/**
 * Finds installed extensions, and opens the configured extensions. The input is a section of the configuration, and the
 * output is the filters of the extension. Extensions are opened while a configuration is read and while a generation is
 * built.
 */
@NullMarked
package dev.lychgate.server.extensions;

import org.jspecify.annotations.NullMarked;
