/**
 * Everything that may change at run time, as one numbered, immutable {@link dev.lychgate.generation.Generation}: routes,
 * upstreams, filters. It is built and validated completely beside the running one, and swapped by one reference. An exchange
 * keeps its initial generation.
 */
@NullMarked
package dev.lychgate.generation;

import org.jspecify.annotations.NullMarked;
