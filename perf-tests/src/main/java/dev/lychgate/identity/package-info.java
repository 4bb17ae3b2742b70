/** Benchmarks of the package-private parts of the extension {@code identity}. */
@NullMarked
package dev.lychgate.identity;

import org.jspecify.annotations.NullMarked;
