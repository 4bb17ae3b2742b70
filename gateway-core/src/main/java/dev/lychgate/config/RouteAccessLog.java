package dev.lychgate.config;

import java.util.List;

/** The access log settings of one route. They override the global settings. */
public sealed interface RouteAccessLog {
    /**
     * Logs no exchange, not even failed exchanges. This is useful, for example, for health checks of load balancers.
     */
    record Off() implements RouteAccessLog {}

    /**
     * Logs all failed exchanges, and a share of the successful exchanges.
     *
     * @param sample the share of the successful exchanges that are logged
     */
    record Sampled(SampleRate sample) implements RouteAccessLog {
        static final Key<SampleRate> SAMPLE = AccessLogConfig.SAMPLE;
    }

    RouteAccessLog OFF = new Off();

    /** The form in the file: the word {@code off}, or a section. */
    Form<RouteAccessLog> FORM = Form.<RouteAccessLog>section(values -> new Sampled(values.get(Sampled.SAMPLE)))
            .or(Form.words(List.of("off"), word -> OFF));
}
