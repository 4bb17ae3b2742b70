/**
 * The entry point: {@link dev.lychgate.Lychgate} starts a gateway with access log, metrics and admin listener. Settings come
 * from a file, or from a builder for embedding and tests.
 */
@NullMarked
package dev.lychgate;

import org.jspecify.annotations.NullMarked;
