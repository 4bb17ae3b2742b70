/** Built-in filters: small, synchronous, and validated when they are created. */
@NullMarked
package dev.lychgate.filters.builtin;

import org.jspecify.annotations.NullMarked;
