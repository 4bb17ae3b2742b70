/**
 * The gate in front of traffic: a {@link dev.lychgate.server.gate.Gate} runs the tests beside filters for each candidate
 * generation, and returns a {@link dev.lychgate.server.gate.Verdict}.
 */
@NullMarked
package dev.lychgate.server.gate;

import org.jspecify.annotations.NullMarked;
