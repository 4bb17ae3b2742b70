/**
 * Endpoint health: active checks on the event loops, and outlier detection on its own thread. Both exist once per
 * process and record their results in the state of the upstream, which the balancers of all loops read. For outlier
 * detection, event loops only count outcomes.
 */
@NullMarked
package dev.lychgate.health;

import org.jspecify.annotations.NullMarked;
