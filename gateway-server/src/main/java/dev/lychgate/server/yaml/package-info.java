/**
 * Reads {@code gateway.yml} into the records of {@code dev.lychgate.config}.
 * {@link dev.lychgate.server.yaml.ConfigReader} returns a validated configuration, or throws all errors, each with
 * file, line, column and key. This package does not depend on the gateway that is built from the configuration.
 *
 * <p>Each record requests its own declared keys from a {@code Section}. A survey makes the same requests without a
 * file. Therefore, the accepted keys, the keys in the schema and the keys of
 * {@link dev.lychgate.server.yaml.ConfigReader#knownKeys()} are always the same.
 */
@NullMarked
package dev.lychgate.server.yaml;

import org.jspecify.annotations.NullMarked;
