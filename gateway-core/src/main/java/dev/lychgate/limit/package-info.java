/**
 * Rate limits: one bucket per key, shared by all event loops and kept across generations.
 *
 * <p>Buckets follow the generic cell rate algorithm: a bucket is stored as one number, the time at which it will be
 * full again. Event loops change this number by compare-and-set, so a limit is exact across all loops without a lock.
 *
 * <p>A limit with {@code scope: fleet} has its buckets in a {@link dev.lychgate.limit.BucketStore}, which an extension
 * provides. Requests use units that a {@link dev.lychgate.limit.SharedBucket} has leased from the store in advance. For
 * low rates, a {@link dev.lychgate.limit.Question} is sent to the store for each request.
 */
@NullMarked
package dev.lychgate.limit;

import org.jspecify.annotations.NullMarked;
