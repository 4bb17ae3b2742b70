package dev.lychgate.dns;

import org.jspecify.annotations.Nullable;

/**
 * The lookup status of one name.
 *
 * @param upstream the upstream whose configuration contains the name
 * @param name the host name or service name
 * @param answered number of successful lookups
 * @param failed number of failed lookups; after a failure, the last result stays in use
 * @param fault the reason why the last lookup failed; null if the last lookup succeeded
 */
public record NameStatus(
        String upstream,
        String name,
        long answered,
        long failed,
        @Nullable String fault) {}
