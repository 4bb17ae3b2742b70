package dev.lychgate.dns;

import org.jspecify.annotations.Nullable;

/**
 * Lookup status of one name.
 *
 * @param upstream the upstream that has the name
 * @param name the host name or service name
 * @param answered number of successful lookups
 * @param failed number of failed lookups; after a failure, the last result stays in use
 * @param fault reason of the last lookup's failure; null if it succeeded
 */
public record NameStatus(
        String upstream,
        String name,
        long answered,
        long failed,
        @Nullable String fault) {}
