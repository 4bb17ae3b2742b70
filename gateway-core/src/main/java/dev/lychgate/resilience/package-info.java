/**
 * Stage <em>resilience</em>: decides about attempts and retries. Input: an attempt about to begin, or a failed one with the
 * facts about its request. Output: a permit, a refusal or a decision; the pool is the next stage. Runs on an event loop with
 * the loop's clock, reads no clock itself, and takes no lock.
 */
@NullMarked
package dev.lychgate.resilience;

import org.jspecify.annotations.NullMarked;
