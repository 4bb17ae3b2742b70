/**
 * Counts and exposes metrics. Each event loop counts events in its own cells, whose fields are plain because only that
 * loop writes them. For a scrape, each loop copies its cells, and another thread adds up the copies. Metric families
 * expose the sums, together with Micrometer's meters of the JVM. Counting an exchange costs a few additions and no
 * lookup by name.
 */
@NullMarked
package dev.lychgate.server.metrics;

import org.jspecify.annotations.NullMarked;
