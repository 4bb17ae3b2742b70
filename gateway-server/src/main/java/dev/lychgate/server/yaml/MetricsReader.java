package dev.lychgate.server.yaml;

import dev.lychgate.config.Durations;
import dev.lychgate.config.MetricsConfig;
import dev.lychgate.config.MetricsPush;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Reads where what is counted is shown. */
final class MetricsReader {
    private static final URI NOWHERE = URI.create("http://unnamed/");

    private MetricsReader() {}

    static MetricsConfig read(Section s) {
        return s.build(() -> config(s), MetricsConfig.DEFAULT);
    }

    private static MetricsConfig config(Section s) {
        Element buckets = s.get("buckets");
        List<Duration> bounds =
                buckets.list("durations", bound -> bound.measured(Duration.ofSeconds(1), Durations::parsePrecise));
        return new MetricsConfig(
                s.flag("jmx", MetricsConfig.DEFAULT.jmx()),
                s.get("opentsdb")
                        .sectionOrNull(to ->
                                to.build(() -> MetricsConfig.forOpenTsdb(push(to, "tags")), MetricsPush.to(NOWHERE))),
                s.get("otlp").sectionOrNull(to -> to.build(() -> push(to, "attributes"), MetricsPush.to(NOWHERE))),
                bounds.isEmpty() && !buckets.isList() ? MetricsConfig.DEFAULT_BUCKETS : bounds);
    }

    private static MetricsPush push(Section s, String labels) {
        Map<String, String> described = s.texts(labels);
        return new MetricsPush(
                s.required("url", "where it is posted, such as http://127.0.0.1:4318/v1/metrics")
                        .parsed(NOWHERE, MetricsPush::parse),
                s.duration("interval", MetricsPush.DEFAULT_INTERVAL),
                described,
                s.secrets("headers"),
                s.duration("timeout", MetricsPush.DEFAULT_TIMEOUT),
                s.size("queue", MetricsPush.DEFAULT_QUEUE));
    }
}
