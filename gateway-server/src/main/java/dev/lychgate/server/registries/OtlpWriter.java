package dev.lychgate.server.registries;

import dev.lychgate.server.metrics.Family;
import dev.lychgate.server.metrics.Figures;
import dev.lychgate.server.metrics.Sample;
import dev.lychgate.server.otlp.ProtoMessage;
import dev.lychgate.server.push.HttpPush;
import dev.lychgate.server.push.Sender;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

/** Makes requests of OTLP of figures. For one thread. */
final class OtlpWriter implements BiConsumer<Figures, HttpPush> {
    private static final int LARGE_ENOUGH = 256 << 10;

    private final Map<String, String> resource;
    private final String version;
    private Map<Series, Long> begun = new HashMap<>();
    private long before = nanos(Instant.now());

    /** @param attributes of the resource, beside those of the sender, or in their place */
    OtlpWriter(Sender sender, Map<String, String> attributes) {
        this.version = sender.version();
        this.resource = sender.resource("lychgate");
        resource.putAll(attributes);
    }

    @Override
    public void accept(Figures figures, HttpPush push) {
        List<Family> families = figures.families();
        remember(families);
        OtlpMetrics writer = new OtlpMetrics(nanos(figures.at()), series -> begun.getOrDefault(series, before));
        List<ProtoMessage> metrics = new ArrayList<>();
        int bytes = 0;
        int points = 0;
        for (Family family : families) {
            if (!family.samples().isEmpty()) {
                ProtoMessage metric = writer.metric(family);
                metrics.add(metric);
                bytes += metric.size();
                points += family.samples().size();
            }
            if (bytes > LARGE_ENOUGH) {
                push.offer(OtlpMetrics.request(resource, version, metrics), points);
                metrics.clear();
                bytes = 0;
                points = 0;
            }
        }
        if (points > 0) {
            push.offer(OtlpMetrics.request(resource, version, metrics), points);
        }
        before = nanos(figures.at());
    }

    /** A series that was not there the last time has begun after that: its first numbers are not of the years before. */
    private void remember(List<Family> families) {
        Map<Series, Long> still = new HashMap<>();
        for (Family family : families) {
            for (Sample sample : family.samples()) {
                if (family.kind() != Family.Kind.GAUGE) {
                    Series series = Series.of(family, sample);
                    still.put(series, begun.getOrDefault(series, before));
                }
            }
        }
        begun = still;
    }

    private static long nanos(Instant at) {
        return at.getEpochSecond() * 1_000_000_000L + at.getNano();
    }
}
