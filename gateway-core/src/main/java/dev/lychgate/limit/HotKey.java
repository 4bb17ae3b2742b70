package dev.lychgate.limit;

/**
 * A key of a rate limit. In the last minutes, requests with this key were often refused.
 *
 * @param key the values of a request that select the bucket; secret values are masked
 * @param refused the approximate number of refused requests; the count is halved every minute
 */
public record HotKey(String key, long refused) {}
