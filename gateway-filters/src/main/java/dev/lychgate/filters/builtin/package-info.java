/** The built-in filters. They are small and synchronous, and their settings are validated when they are created. */
@NullMarked
package dev.lychgate.filters.builtin;

import org.jspecify.annotations.NullMarked;
