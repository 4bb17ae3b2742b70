/**
 * Replays recorded exchanges through the filters of a configuration, without sockets: each
 * {@link dev.lychgate.server.recording.Recording} becomes a real exchange between a simulated client and simulated origins.
 * That exchange is recorded too, and the two recordings are compared.
 */
@NullMarked
package dev.lychgate.server.replay;

import org.jspecify.annotations.NullMarked;
