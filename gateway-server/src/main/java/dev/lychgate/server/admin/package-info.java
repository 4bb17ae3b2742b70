/**
 * The admin listener: the state of the running gateway and operations on it, for operators, probes and Prometheus.
 * {@link dev.lychgate.server.admin.AdminServer} accepts connections. A request passes {@code RequestCheck} and
 * {@code Gatekeeper} and is looked up in the table of {@code AdminPages}; its page or operation responds. The listener has
 * its own thread, on which nothing blocks, so that it responds while the gateway's event loops are busy.
 */
@NullMarked
package dev.lychgate.server.admin;

import org.jspecify.annotations.NullMarked;
