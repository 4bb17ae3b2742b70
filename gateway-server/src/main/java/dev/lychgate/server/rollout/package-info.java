/**
 * Compares two generations while a rollout runs. Ended exchanges enter {@link RolloutMeter}, which counts them by
 * generation and route on their event loops; the {@link Judge} compares the counts and returns a {@link Judgement}. The
 * state machine of a rollout, in {@code server.reload}, acts on the judgement.
 */
@NullMarked
package dev.lychgate.server.rollout;

import org.jspecify.annotations.NullMarked;
