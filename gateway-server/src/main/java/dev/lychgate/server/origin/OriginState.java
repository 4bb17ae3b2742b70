package dev.lychgate.server.origin;

import java.util.concurrent.atomic.LongAdder;
import java.util.function.UnaryOperator;

/**
 * The state that all connections of one origin share. Thread-safe.
 *
 * @param name the origin's name in its responses
 * @param targets replaces the target of each request before it is read, on any event loop
 * @param requests requests read whole, without those to {@code /count}
 */
record OriginState(String name, UnaryOperator<String> targets, LongAdder requests) {}
