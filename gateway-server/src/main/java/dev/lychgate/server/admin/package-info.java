/**
 * The admin listener: it serves the state of the running gateway, and operations on the gateway, to operators, probes
 * and Prometheus. {@link dev.lychgate.server.admin.AdminServer} accepts connections. {@code RequestCheck} and
 * {@code Gatekeeper} check each request. The table of {@code AdminPages} then selects the page or operation that
 * responds. The listener has its own thread, so that it responds even while the gateway's event loops are busy. Nothing
 * blocks on this thread.
 */
@NullMarked
package dev.lychgate.server.admin;

import org.jspecify.annotations.NullMarked;
