/**
 * The base of the tests: origins and clients with raw bytes over real sockets, and the detection of leaked buffers and blocked
 * event loops. Published in the test-jar, so that the tests of other modules use the same base.
 *
 * <p>Two extensions check every test class automatically ({@link dev.lychgate.testing.LeakDetection},
 * {@link dev.lychgate.testing.BlockedLoops}); a module that uses the test-jar has BlockHound in its test scope for them.
 *
 * <p>Every waiting call here has a time limit: a test may fail, but it may not hang.
 */
@NullMarked
package dev.lychgate.testing;

import org.jspecify.annotations.NullMarked;
