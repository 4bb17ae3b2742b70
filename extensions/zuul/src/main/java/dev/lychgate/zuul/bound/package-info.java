/**
 * Binds a generation to the threads that run its filters. The packages {@code com.netflix} depend on this package, and
 * on no other package of the extension.
 */
@NullMarked
package dev.lychgate.zuul.bound;

import org.jspecify.annotations.NullMarked;
