package dev.lychgate.dns;

import org.jspecify.annotations.Nullable;

/**
 * How the lookups of one name have gone so far.
 *
 * @param upstream the upstream that has the name
 * @param name the host name, or the service
 * @param answered lookups that had an answer
 * @param failed lookups that had none: the last answer went on being used
 * @param fault why the last lookup failed; null if it did not
 */
public record NameStatus(
        String upstream,
        String name,
        long answered,
        long failed,
        @Nullable String fault) {}
