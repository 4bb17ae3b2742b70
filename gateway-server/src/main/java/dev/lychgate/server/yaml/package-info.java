/**
 * Reads {@code gateway.yml} into the records of {@code dev.lychgate.config}. Text comes in
 * ({@link dev.lychgate.server.yaml.ConfigReader}), a checked configuration or the whole list of faults goes out, each
 * fault with file, line, column and key. Nothing here knows the gateway that is built from it.
 *
 * <p>The records read themselves: they ask a {@code Section} for one declared key after another, and the asking makes a key
 * known. A survey asks without a file. So the keys that are read, accepted, described by the schema and listed by
 * {@link dev.lychgate.server.yaml.ConfigReader#knownKeys()} cannot differ.
 */
@NullMarked
package dev.lychgate.server.yaml;

import org.jspecify.annotations.NullMarked;
