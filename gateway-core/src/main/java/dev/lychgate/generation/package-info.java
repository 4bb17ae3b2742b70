/**
 * Generations. A {@link dev.lychgate.generation.Generation} is immutable, has a number, and contains everything that a
 * reload may change, such as routes, upstreams and filters. A new generation is built and validated completely while
 * the current one runs. The new generation is then swapped in by writing one reference. Each exchange keeps the
 * generation with which it began.
 */
@NullMarked
package dev.lychgate.generation;

import org.jspecify.annotations.NullMarked;
