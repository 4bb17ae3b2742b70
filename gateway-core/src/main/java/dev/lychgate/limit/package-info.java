/**
 * Rate limits: one bucket per key, shared by all event loops and kept across generations.
 *
 * <p>Buckets follow the generic cell rate algorithm: a bucket is the time at which it would be full again, one number. Loops change it
 * by compare-and-set, so that a limit is exact over all of them without a lock.
 *
 * <p>A limit with {@code scope: fleet} has its buckets in a {@link dev.lychgate.limit.BucketStore}, which an extension provides. Requests
 * use units that a {@link dev.lychgate.limit.SharedBucket} has leased from it ahead of need; for low rates, a
 * {@link dev.lychgate.limit.Question} asks it about each request.
 */
@NullMarked
package dev.lychgate.limit;

import org.jspecify.annotations.NullMarked;
