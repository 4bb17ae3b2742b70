/**
 * The way in: {@link dev.lychgate.Lychgate} starts a gateway with everything around it (access log, metrics, admin
 * listener) from settings, or from a builder for embedding and tests.
 */
@NullMarked
package dev.lychgate;

import org.jspecify.annotations.NullMarked;
