/**
 * Everything that may change at run time, as one numbered, immutable {@link dev.lychgate.generation.Generation}: routes,
 * upstreams, filters. It is built and checked whole, beside the running one, and swapped by one reference. An exchange
 * keeps the generation it began with.
 */
@NullMarked
package dev.lychgate.generation;

import org.jspecify.annotations.NullMarked;
