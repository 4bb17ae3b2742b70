package dev.lychgate.server.registries;

import dev.lychgate.server.metrics.Distribution;
import dev.lychgate.server.metrics.Family;
import dev.lychgate.server.metrics.Family.Sample;
import dev.lychgate.server.metrics.Figures;
import dev.lychgate.server.push.HttpPush;
import dev.lychgate.server.push.Sender;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiConsumer;

/**
 * Converts a snapshot to OpenTSDB rows. A counter or gauge has one row. A distribution has the rows {@code _count} and
 * {@code _sum}, and {@code _p50}, {@code _p95} and {@code _p99} for the values since the last snapshot. Not
 * thread-safe.
 */
final class OpenTsdbWriter implements BiConsumer<Figures, HttpPush> {
    private final Map<String, String> tags;
    private Map<Series, RecentCounts> recent = new HashMap<>();

    /** @param tags the tags of every row, in addition to {@code host} */
    OpenTsdbWriter(Sender sender, Map<String, String> tags) {
        Map<String, String> all = new LinkedHashMap<>();
        all.put("host", sender.host());
        all.putAll(tags);
        this.tags = all;
    }

    @Override
    public void accept(Figures figures, HttpPush push) {
        OpenTsdbRows rows = new OpenTsdbRows(figures.at().getEpochSecond(), tags, push::offer);
        Map<Series, RecentCounts> still = new HashMap<>();
        for (Family family : figures.families()) {
            for (Sample sample : family.samples()) {
                Distribution distribution = sample.distribution();
                if (distribution == null) {
                    rows.add(family.name(), sample.value(), sample.labels());
                } else {
                    Series series = Series.of(family, sample);
                    RecentCounts before = recent.getOrDefault(series, new RecentCounts(1));
                    add(rows, family.name(), sample.labels(), distribution, before);
                    still.put(series, before);
                }
            }
        }
        recent = still;
        rows.finish();
    }

    private static void add(
            OpenTsdbRows rows, String name, Map<String, String> labels, Distribution all, RecentCounts before) {
        rows.add(name + "_count", (double) all.count(), labels);
        rows.add(name + "_sum", all.sum(), labels);
        if (all.hasBuckets()) {
            before.percentiles(all).forEach((percentile, value) -> rows.add(name + "_" + percentile, value, labels));
            before.mark(all);
        }
    }
}
