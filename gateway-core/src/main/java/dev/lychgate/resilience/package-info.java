/**
 * Station <em>resilience</em>: may we try, may we try again. What arrives is an attempt that is about to begin, or one that failed and
 * what is known of its request; what leaves is a permit, a refusal or a decision; the pool comes next. Everything here is
 * asked on an event loop with the loop's clock, reads no clock itself, and takes no lock.
 */
@NullMarked
package dev.lychgate.resilience;

import org.jspecify.annotations.NullMarked;
