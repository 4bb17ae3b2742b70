package dev.lychgate.config;

import org.jspecify.annotations.Nullable;

/** The settings by which an upstream detects unhealthy endpoints. */
public record HealthConfig(
        @Nullable ActiveHealthConfig active, @Nullable OutlierConfig outlier) {
    private static final Key<ActiveHealthConfig> ACTIVE = Key.section("active", null, ActiveHealthConfig::read)
            .about("checks the health of every endpoint at intervals; one check of the process serves all event loops");
    private static final Key<OutlierConfig> OUTLIER = Key.section("outlier", null, () -> OutlierConfig.KEYS)
            .about("ejects an endpoint temporarily if its exchanges fail or are slow, compared with the other "
                    + "endpoints");

    static final Keys<HealthConfig> KEYS = Keys.of(HealthConfig::new, ACTIVE, OUTLIER);

    public static final HealthConfig NONE = KEYS.defaults();
}
