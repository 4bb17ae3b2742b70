package dev.lychgate.config;

import org.jspecify.annotations.Nullable;

/** The detection of unhealthy endpoints of an upstream. */
public record HealthConfig(
        @Nullable ActiveHealthConfig active, @Nullable OutlierConfig outlier) {
    private static final Key<ActiveHealthConfig> ACTIVE = Key.section("active", null, ActiveHealthConfig::read)
            .about("checks the health of every endpoint, once per process");
    private static final Key<OutlierConfig> OUTLIER = Key.section("outlier", null, () -> OutlierConfig.KEYS)
            .about("ejects an endpoint temporarily if it performs worse than its peers under traffic");

    static final Keys<HealthConfig> KEYS = Keys.of(HealthConfig::new, ACTIVE, OUTLIER);

    public static final HealthConfig NONE = KEYS.defaults();
}
