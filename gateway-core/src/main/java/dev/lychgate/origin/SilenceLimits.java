package dev.lychgate.origin;

/**
 * Response timeouts, in nanoseconds.
 *
 * @param responseHead the maximum time from the last byte of the request to the response head
 * @param responseBody the maximum time between two reads of the response body
 */
public record SilenceLimits(long responseHead, long responseBody) {}
