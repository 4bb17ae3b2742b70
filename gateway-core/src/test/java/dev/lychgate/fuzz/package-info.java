/**
 * Bytes in, bytes out: the whole path through the gateway, fed with arbitrary bytes, and verified by a reader of HTTP/1.1 that
 * is independent of the codec ({@link dev.lychgate.fuzz.StrictReader}).
 */
@NullMarked
package dev.lychgate.fuzz;

import org.jspecify.annotations.NullMarked;
