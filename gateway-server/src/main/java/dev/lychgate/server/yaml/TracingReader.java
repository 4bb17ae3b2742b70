package dev.lychgate.server.yaml;

import dev.lychgate.config.MetricsPush;
import dev.lychgate.config.Propagation;
import dev.lychgate.config.SampleRate;
import dev.lychgate.config.TracingConfig;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Reads how exchanges take part in distributed traces. */
final class TracingReader {
    private static final URI SOMEWHERE = URI.create("http://127.0.0.1:4318/v1/traces");

    private TracingReader() {}

    static TracingConfig read(Section s) {
        TracingConfig d = TracingConfig.DEFAULT;
        return s.build(
                () -> new TracingConfig(
                        s.get("sample").measured(d.sample(), SampleRate::parse),
                        s.get("accept").choice(d.accept(), TracingConfig.Accept.values()),
                        propagate(s.get("propagate")),
                        s.get("service").text(d.service()),
                        s.get("otlp").sectionOrNull(TracingReader::otlp)),
                d);
    }

    private static List<Propagation> propagate(Element element) {
        return element.present()
                ? element.list("forms", item -> item.parsed(Propagation.W3C, TracingReader::propagation))
                : TracingConfig.DEFAULT.propagate();
    }

    private static Propagation propagation(String text) {
        return Stream.of(Propagation.values())
                .filter(form -> form.label().equals(text))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        Stream.of(Propagation.values()).map(Propagation::label).collect(Collectors.joining(", "))));
    }

    private static TracingConfig.Otlp otlp(Section s) {
        URI url = s.required("url", "a URL such as " + SOMEWHERE).parsed(SOMEWHERE, MetricsPush::parse);
        return s.build(
                () -> new TracingConfig.Otlp(
                        url,
                        s.secrets("headers"),
                        s.duration("timeout", TracingConfig.Otlp.DEFAULT_TIMEOUT),
                        s.number("queue", TracingConfig.Otlp.DEFAULT_QUEUE)),
                new TracingConfig.Otlp(
                        SOMEWHERE, Map.of(), TracingConfig.Otlp.DEFAULT_TIMEOUT, TracingConfig.Otlp.DEFAULT_QUEUE));
    }
}
