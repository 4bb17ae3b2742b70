package dev.lychgate.config;

import org.jspecify.annotations.Nullable;

/**
 * How it is found out which endpoints of an upstream are fit for use.
 *
 * @param active asks them; null = they are not asked
 * @param outlier watches how they do under traffic; null = nobody does
 */
public record HealthConfig(
        @Nullable ActiveHealthConfig active, @Nullable OutlierConfig outlier) {
    /** Neither. */
    public static final HealthConfig NONE = new HealthConfig(null, null);
}
