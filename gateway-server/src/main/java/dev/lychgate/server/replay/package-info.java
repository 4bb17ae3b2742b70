/**
 * Replays recorded exchanges through the filters of a configuration, without sockets: each {@link
 * dev.lychgate.server.recording.Recording} becomes a real exchange between a simulated client and simulated origins.
 * The real exchange is recorded, and this new recording is compared with the original recording.
 */
@NullMarked
package dev.lychgate.server.replay;

import org.jspecify.annotations.NullMarked;
