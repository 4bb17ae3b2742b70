/**
 * Records of single exchanges. Slow, failed and sampled exchanges are copied completely when they end. A separate thread
 * keeps the latest, logs the slow ones, and exports them if configured. All other exchanges cost nothing here.
 */
@NullMarked
package dev.lychgate.server.recorder;

import org.jspecify.annotations.NullMarked;
