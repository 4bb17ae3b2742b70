/**
 * The admin listener. It shows operators, probes and Prometheus the state of the running gateway, and lets operators
 * change it. {@link dev.lychgate.server.admin.AdminServer} accepts connections. {@code RequestCheck} and
 * {@code Gatekeeper} check each request. The table of {@code AdminPages} then selects the page or operation that
 * responds.
 *
 * <p>The listener has its own thread, on which nothing blocks. Therefore, it responds even while the gateway's event
 * loops are busy.
 */
@NullMarked
package dev.lychgate.server.admin;

import org.jspecify.annotations.NullMarked;
