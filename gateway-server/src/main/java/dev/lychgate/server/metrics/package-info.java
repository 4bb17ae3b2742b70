/**
 * Metrics. Each event loop counts events in its own plain cells, which only that loop writes. For a scrape, each loop
 * copies its cells, the copies are added up, and families expose the sums together with Micrometer's meters of the JVM.
 * An exchange costs a few additions, and no lookup by name.
 */
@NullMarked
package dev.lychgate.server.metrics;

import org.jspecify.annotations.NullMarked;
