/**
 * Bytes in, bytes out: the whole way through the gateway, fed with anything at all, and judged by a reader of HTTP/1.1
 * that knows nothing of the codec ({@link dev.lychgate.fuzz.StrictReader}).
 */
@NullMarked
package dev.lychgate.fuzz;

import org.jspecify.annotations.NullMarked;
