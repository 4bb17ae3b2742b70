/**
 * The stage of a request that decides about attempts and retries. Its input is an attempt that is about to begin, or a
 * failed attempt with the facts about its request. Its output is a permit, a refusal or a decision; the next stage is
 * the connection pool. The code runs on an event loop. It receives the time from the loop instead of reading a clock,
 * and takes no lock.
 */
@NullMarked
package dev.lychgate.resilience;

import org.jspecify.annotations.NullMarked;
