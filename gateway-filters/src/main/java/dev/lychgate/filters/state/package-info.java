/**
 * State of filters that outlives a generation, and the objects that a generation opens. Loaded filters enter;
 * {@link dev.lychgate.filter.FilterServices} leave, and later the order to close the opened objects.
 */
@NullMarked
package dev.lychgate.filters.state;

import org.jspecify.annotations.NullMarked;
