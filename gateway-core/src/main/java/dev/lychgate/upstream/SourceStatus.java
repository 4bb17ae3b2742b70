package dev.lychgate.upstream;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The status of one discovered service of an upstream.
 *
 * @param upstream the name of the upstream
 * @param source the name of the source
 * @param service the name of the service at the source, with the name of the port if there is one
 * @param confirmed the time at which the source last reported its endpoints, in this process or in an earlier one; null if
 *     it never did
 * @param stored whether the endpoints in use are from the directory {@code discovery.state}, because the source has not
 *     responded yet
 * @param ready the number of ready endpoints in use
 * @param draining the number of draining endpoints in use
 * @param retained the number of the ready endpoints that the source no longer reports as ready
 * @param answered the number of reports with endpoints
 * @param empty the number of reports without a ready endpoint
 * @param failed the number of failures
 * @param fault the reason of the last failure or of the refusal of the last report; null if the last report was accepted
 */
public record SourceStatus(
        String upstream,
        String source,
        String service,
        @Nullable Instant confirmed,
        boolean stored,
        int ready,
        int draining,
        int retained,
        long answered,
        long empty,
        long failed,
        @Nullable String fault) {}
