/**
 * Health of endpoints: active checks on the event loops, and outlier detection on a separate thread. Checks and
 * detection exist once per process. Their results are part of the state of the upstream, which the balancers of all
 * event loops read. For outlier detection, the event loops count the outcomes of attempts, and the thread evaluates
 * these counts.
 */
@NullMarked
package dev.lychgate.health;

import org.jspecify.annotations.NullMarked;
