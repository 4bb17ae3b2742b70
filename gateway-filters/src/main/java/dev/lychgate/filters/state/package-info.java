/**
 * State of filters that outlives a generation, and the objects that a generation opens. A filter that is loaded enters; what leaves
 * is its {@link dev.lychgate.filter.FilterServices}, and later the order to close what it has opened.
 */
@NullMarked
package dev.lychgate.filters.state;

import org.jspecify.annotations.NullMarked;
