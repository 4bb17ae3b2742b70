/**
 * What the tests stand on: origins and clients that speak raw bytes over real sockets, and the watch over leaked buffers
 * and blocked event loops. Published in the test-jar, so that the other modules' tests stand on the same.
 *
 * <p>Two extensions watch every test class without being asked ({@link dev.lychgate.testing.LeakDetection}, {@link
 * dev.lychgate.testing.BlockedLoops}); a module that uses the test-jar has BlockHound in its test scope for them.
 *
 * <p>Everything here that waits has a time limit: a test may fail, it may not hang.
 */
@NullMarked
package dev.lychgate.testing;

import org.jspecify.annotations.NullMarked;
