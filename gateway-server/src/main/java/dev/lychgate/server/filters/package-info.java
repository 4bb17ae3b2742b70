/**
 * Makes filters of what configuration says of them. A configuration arrives here, and filters that somebody brings by
 * name; what leaves is a {@link dev.lychgate.server.filters.FilterAssembly}, from which a generation is built.
 */
@NullMarked
package dev.lychgate.server.filters;

import org.jspecify.annotations.NullMarked;
