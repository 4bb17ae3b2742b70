/**
 * Rate limits: one bucket per key, shared by all event loops and kept across generations.
 *
 * <p>Buckets follow the generic cell rate algorithm: a bucket is a single number, the time at which it will be full again. Event loops
 * change this number by compare-and-set, so a limit is exact across all event loops without a lock.
 */
@NullMarked
package dev.lychgate.limit;

import org.jspecify.annotations.NullMarked;
