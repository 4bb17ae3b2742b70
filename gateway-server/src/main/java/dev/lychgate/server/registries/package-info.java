/**
 * Destinations of {@linkplain dev.lychgate.server.metrics.Figures metrics} in addition to Prometheus: MBeans, OpenTSDB,
 * OTLP. Snapshots arrive on the metrics thread. An {@link dev.lychgate.server.push.HttpPush} sends snapshots to
 * other processes.
 */
@NullMarked
package dev.lychgate.server.registries;

import org.jspecify.annotations.NullMarked;
