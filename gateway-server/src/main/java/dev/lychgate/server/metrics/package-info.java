/**
 * Metrics. What happens is counted in plain cells, one set per event loop, written by that loop alone. When somebody
 * scrapes, each loop copies its cells, the copies are added up, and families show the sums beside Micrometer's meters of the
 * JVM. An exchange pays for a few additions, and for no lookup by name.
 */
@NullMarked
package dev.lychgate.server.metrics;

import org.jspecify.annotations.NullMarked;
