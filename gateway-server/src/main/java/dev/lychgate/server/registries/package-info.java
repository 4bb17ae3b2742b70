/**
 * Destinations of {@linkplain dev.lychgate.server.metrics.Figures metrics} in addition to Prometheus: MBeans, OpenTSDB,
 * OTLP. Snapshots arrive on the metrics thread. An {@link dev.lychgate.server.push.HttpPush} sends those that are for
 * another process.
 */
@NullMarked
package dev.lychgate.server.registries;

import org.jspecify.annotations.NullMarked;
