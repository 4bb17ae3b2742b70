package dev.lychgate.upstream;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The status of one discovered service of an upstream, for operators.
 *
 * @param upstream the name of the upstream
 * @param source the name of the source
 * @param service the name of the service at the source, followed by the name of the port if one is configured
 * @param confirmed the time at which the source last reported endpoints of the service, in this process or in an
 *     earlier process; null if the source has never reported endpoints
 * @param stored whether the endpoints in use are from the directory {@code discovery.state}, because the source has not
 *     responded yet
 * @param ready the number of ready endpoints in use
 * @param draining the number of draining endpoints in use
 * @param retained the number of ready endpoints in use that the source no longer reports as ready
 * @param answered the number of reports with endpoints
 * @param empty the number of reports without a ready endpoint
 * @param failed the number of failed requests to the source
 * @param fault the reason why the last request to the source failed or its last report was refused; null if the last
 *     report was accepted
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
