/**
 * The buckets of shared rate limits in Redis. Input: questions of event loops to a {@link dev.lychgate.limit.BucketStore}. Output: calls
 * of one script by the Redis server that has the bucket, in pipelines of one connection for each server. The code runs on one thread of
 * the extension.
 */
@NullMarked
package dev.lychgate.redis;

import org.jspecify.annotations.NullMarked;
