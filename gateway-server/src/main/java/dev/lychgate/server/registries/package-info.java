/**
 * Exposes {@linkplain dev.lychgate.server.metrics.Figures metrics} in addition to Prometheus: as MBeans, to OpenTSDB,
 * and by OTLP. The metrics thread takes the snapshots. An {@link dev.lychgate.server.push.HttpPush} sends the snapshots
 * to other processes.
 */
@NullMarked
package dev.lychgate.server.registries;

import org.jspecify.annotations.NullMarked;
