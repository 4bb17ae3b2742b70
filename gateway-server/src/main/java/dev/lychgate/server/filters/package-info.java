/**
 * Creates the filters that a configuration names. The result is a {@link dev.lychgate.server.filters.FilterAssembly},
 * from which a generation is built.
 */
@NullMarked
package dev.lychgate.server.filters;

import org.jspecify.annotations.NullMarked;
