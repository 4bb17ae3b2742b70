/**
 * State of filters that outlives a generation, and the objects that a generation opens. Input: loaded filters. Output:
 * the {@link dev.lychgate.filter.FilterServices} for each of them and, at the end of the generation, the calls that
 * close the opened objects.
 */
@NullMarked
package dev.lychgate.filters.state;

import org.jspecify.annotations.NullMarked;
