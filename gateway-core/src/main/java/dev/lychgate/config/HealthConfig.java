package dev.lychgate.config;

import static dev.lychgate.config.Key.section;

import org.jspecify.annotations.Nullable;

/**
 * How it is found out which endpoints of an upstream are fit for use.
 */
public record HealthConfig(
        @Nullable ActiveHealthConfig active, @Nullable OutlierConfig outlier) {
    private static final Key<ActiveHealthConfig> ACTIVE = section("active", null, ActiveHealthConfig::read)
            .about("asks every endpoint whether it is well, once per process");
    private static final Key<OutlierConfig> OUTLIER = section("outlier", null, OutlierConfig::read)
            .about("leaves an endpoint out for a while that does worse than its peers under traffic");

    public static final HealthConfig NONE = read(Key.DEFAULTS);

    /** Reads a section. */
    static HealthConfig read(Key.Values values) {
        return new HealthConfig(values.get(ACTIVE), values.get(OUTLIER));
    }
}
