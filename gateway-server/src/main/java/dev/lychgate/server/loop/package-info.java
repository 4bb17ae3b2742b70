/**
 * Event loops of the small servers and clients that accompany the gateway: admin listener, demo origin and demo
 * traffic.
 */
@NullMarked
package dev.lychgate.server.loop;

import org.jspecify.annotations.NullMarked;
