/**
 * Reads {@code gateway.yml} into the records of {@code dev.lychgate.config}. Text comes in
 * ({@link dev.lychgate.server.yaml.ConfigReader}), a checked configuration or the whole list of faults goes out, each
 * fault with file, line, column and key. Nothing here knows the gateway that is built from it.
 *
 * <p>The readers ask a {@code Section} for one key after another; the asking is what makes a key known. So the keys that
 * are read, the keys that are accepted and the keys that {@link dev.lychgate.server.yaml.ConfigReader#knownKeys()} lists
 * cannot differ.
 */
@NullMarked
package dev.lychgate.server.yaml;

import org.jspecify.annotations.NullMarked;
