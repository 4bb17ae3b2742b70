/**
 * Station <em>upstream</em>: a route has named an upstream; here one of its endpoints is chosen. What arrives is a
 * request head, what leaves is an {@link dev.lychgate.upstream.Endpoint}; the pool comes next. One balancing policy per
 * file, each counting per event loop; none sees a channel.
 */
@NullMarked
package dev.lychgate.upstream;

import org.jspecify.annotations.NullMarked;
