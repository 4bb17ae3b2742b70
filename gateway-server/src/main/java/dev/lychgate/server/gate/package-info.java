/**
 * The gate that a candidate passes before it receives traffic. A {@link dev.lychgate.server.gate.Gate} runs the tests
 * of filters and replays recorded exchanges for each candidate generation, and returns a {@link
 * dev.lychgate.server.gate.Verdict}.
 */
@NullMarked
package dev.lychgate.server.gate;

import org.jspecify.annotations.NullMarked;
