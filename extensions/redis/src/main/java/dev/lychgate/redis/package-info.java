/**
 * The buckets of shared rate limits in Redis. Input: queries of event loops to a {@link
 * dev.lychgate.limit.BucketStore}. Output: calls of one script on the Redis server that holds the bucket, pipelined
 * over one connection per server. The code runs on one thread of the extension.
 */
@NullMarked
package dev.lychgate.redis;

import org.jspecify.annotations.NullMarked;
