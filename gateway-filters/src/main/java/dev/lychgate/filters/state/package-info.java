/**
 * State of filters that outlives a generation, and the objects that the filters of a generation open. The package
 * receives created filters. It provides {@link dev.lychgate.filter.FilterServices} to each filter. At the end of the
 * generation, it closes the objects that the filters have opened.
 */
@NullMarked
package dev.lychgate.filters.state;

import org.jspecify.annotations.NullMarked;
