/**
 * Where {@linkplain dev.lychgate.server.metrics.Figures what is counted} goes beside Prometheus: MBeans, OpenTSDB, OTLP.
 * Figures arrive here on the thread of the metrics; those that are sent leave by an
 * {@link dev.lychgate.server.push.HttpPush}.
 */
@NullMarked
package dev.lychgate.server.registries;

import org.jspecify.annotations.NullMarked;
