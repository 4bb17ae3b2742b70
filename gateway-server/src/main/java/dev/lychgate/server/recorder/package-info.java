/**
 * Records single exchanges. Slow, failed and sampled exchanges are copied completely when they end. A separate thread
 * keeps the latest copies, logs the slow exchanges, and exports all copies if an export is configured. Other exchanges
 * cost only two comparisons.
 */
@NullMarked
package dev.lychgate.server.recorder;

import org.jspecify.annotations.NullMarked;
