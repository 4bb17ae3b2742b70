package dev.lychgate.config;

import java.util.List;

/** What the access log has of the exchanges of one route, where that differs from what it has of all. */
public sealed interface RouteAccessLog {
    /** Nothing at all, not even what fails: for health checks of others, say. */
    record Off() implements RouteAccessLog {}

    /** What fails, and of the rest a share. @param sample which share */
    record Sampled(SampleRate sample) implements RouteAccessLog {
        static final Key<SampleRate> SAMPLE = AccessLogConfig.SAMPLE;
    }

    RouteAccessLog OFF = new Off();

    /** {@code off}, or a section. */
    Form<RouteAccessLog> FORM = Form.<RouteAccessLog>section(values -> new Sampled(values.get(Sampled.SAMPLE)))
            .or(Form.words(List.of("off"), word -> OFF));
}
