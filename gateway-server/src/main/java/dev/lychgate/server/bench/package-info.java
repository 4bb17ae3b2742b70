/**
 * Measures the latency of a service at a constant rate of requests. An {@link dev.lychgate.server.bench.OpenLoop} sends
 * requests at fixed times, regardless of the responses. The command {@code bench} uses it. In: URLs and a rate. Out:
 * {@link dev.lychgate.server.bench.Measured}.
 */
@NullMarked
package dev.lychgate.server.bench;

import org.jspecify.annotations.NullMarked;
