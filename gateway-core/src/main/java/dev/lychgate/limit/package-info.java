/**
 * Rate limits: one bucket per key, shared by all event loops and kept across generations.
 *
 * <p>Buckets follow the generic cell rate algorithm: a bucket is the time at which it would be full again, one number. Loops change it
 * by compare-and-set, so that a limit is exact over all of them without a lock.
 */
@NullMarked
package dev.lychgate.limit;

import org.jspecify.annotations.NullMarked;
