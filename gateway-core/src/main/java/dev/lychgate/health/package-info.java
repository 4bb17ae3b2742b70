/**
 * What is known of origins beforehand: active checks, which ask, and outlier detection, which watches the traffic. Both
 * work once per process, on a thread of their own, and say what they find to the state of the upstream, which the
 * balancers of all loops read; event loops only count.
 */
@NullMarked
package dev.lychgate.health;

import org.jspecify.annotations.NullMarked;
