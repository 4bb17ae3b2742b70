/**
 * The admin listener: what is told of the running gateway, and what can be done about it, for operators, probes and
 * Prometheus. {@link dev.lychgate.server.admin.AdminServer} accepts; a request passes {@code RequestCheck} and
 * {@code Gatekeeper}, is looked up in the table of {@code AdminPages}, and is answered by the page or the action that stands
 * there. It has a thread of its own, so that it answers while the gateway's event loops are busy, and waits for nothing on it.
 */
@NullMarked
package dev.lychgate.server.admin;

import org.jspecify.annotations.NullMarked;
