package dev.lychgate.config;

import org.jspecify.annotations.Nullable;

/**
 * How it is found out which endpoints of an upstream are fit for use.
 */
public record HealthConfig(
        @Nullable ActiveHealthConfig active, @Nullable OutlierConfig outlier) {
    private static final Key<ActiveHealthConfig> ACTIVE = Key.section("active", null, ActiveHealthConfig::read)
            .about("asks every endpoint whether it is well, once per process");
    private static final Key<OutlierConfig> OUTLIER = Key.section("outlier", null, () -> OutlierConfig.KEYS)
            .about("leaves an endpoint out for a while that does worse than its peers under traffic");

    static final Keys<HealthConfig> KEYS = Keys.of(HealthConfig::new, ACTIVE, OUTLIER);

    public static final HealthConfig NONE = KEYS.defaults();
}
