/**
 * What the tests stand on: origins and clients that speak raw bytes over real sockets, and the watch over leaked buffers
 * and blocked event loops. Published in the test-jar, so that the other modules' tests stand on the same.
 *
 * <p>Everything here that waits has a time limit: a test may fail, it may not hang.
 */
@NullMarked
package dev.lychgate.testing;

import org.jspecify.annotations.NullMarked;
