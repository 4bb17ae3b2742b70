/**
 * The entry point: {@link dev.lychgate.Lychgate} starts a gateway with access log, metrics and admin listener. The
 * settings of the gateway come from a file, or from a builder if the gateway is embedded in another program or a test.
 */
@NullMarked
package dev.lychgate;

import org.jspecify.annotations.NullMarked;
