/**
 * Station <em>filter</em>: changes, answers or refuses. A request head arrives here before it is routed, a response head
 * before it is committed; what leaves is a {@link dev.lychgate.filter.FilterOutcome}. The route comes next. A filter sees
 * heads, never a channel.
 */
@NullMarked
package dev.lychgate.filter;

import org.jspecify.annotations.NullMarked;
