package dev.lychgate.http2;

/**
 * How large a header section may be.
 *
 * @param bytes names and values together, and 32 for each field, as HTTP/2 counts; a block that is larger than this even
 *     compressed ends the connection
 * @param count most fields
 */
public record HeaderLimits(int bytes, int count) {}
