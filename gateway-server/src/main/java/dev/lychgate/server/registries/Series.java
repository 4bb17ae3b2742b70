package dev.lychgate.server.registries;

import dev.lychgate.server.metrics.Family;
import dev.lychgate.server.metrics.Family.Sample;
import java.util.Map;

/** The identity of a series, without its value. */
record Series(String name, Map<String, String> labels) {
    static Series of(Family family, Sample sample) {
        return new Series(family.name(), sample.labels());
    }
}
