/**
 * Stage <em>resilience</em>: decides about attempts and retries. Input: an attempt about to begin, or a failed attempt
 * with the facts about its request. Output: a permit, a refusal or a decision; the pool is the next stage. The code
 * runs on an event loop. It receives the time from the loop instead of reading a clock, and takes no lock.
 */
@NullMarked
package dev.lychgate.resilience;

import org.jspecify.annotations.NullMarked;
