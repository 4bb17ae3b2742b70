package dev.lychgate.server.yaml;

import dev.lychgate.config.RouteTimeouts;

/** Reads {@code timeouts} of a route or an upstream; both spell them alike. */
final class TimeoutsReader {
    private TimeoutsReader() {}

    static RouteTimeouts read(Section s) {
        return s.build(
                () -> new RouteTimeouts(
                        s.durationOrNull("acquire"),
                        s.durationOrNull("connect"),
                        s.durationOrNull("response-head"),
                        s.durationOrNull("response-body"),
                        s.durationOrNull("exchange")),
                RouteTimeouts.UNSET);
    }
}
