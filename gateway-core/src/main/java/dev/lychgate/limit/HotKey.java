package dev.lychgate.limit;

/**
 * A key of a rate limit that was refused often in the last minutes.
 *
 * @param key the values of a request that select the bucket; secret ones are masked
 * @param refused about how many requests were refused; each minute halves the count
 */
public record HotKey(String key, long refused) {}
