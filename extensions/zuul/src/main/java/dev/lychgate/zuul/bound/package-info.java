/**
 * Binds a generation to the threads that run its filters. The packages {@code com.netflix} depend on this package
 * alone.
 */
@NullMarked
package dev.lychgate.zuul.bound;

import org.jspecify.annotations.NullMarked;
