/**
 * The admin listener: a few pages about the running gateway, for operators, probes and Prometheus. It has a thread of its
 * own, so that it answers while the gateway's event loops are busy, and it can change nothing. Whoever can reach it is
 * trusted to read all it says; it binds to the loopback unless told otherwise.
 */
@NullMarked
package dev.lychgate.server.admin;

import org.jspecify.annotations.NullMarked;
