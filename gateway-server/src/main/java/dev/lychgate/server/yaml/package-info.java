/**
 * Reads {@code gateway.yml} into the records of {@code dev.lychgate.config}. {@link
 * dev.lychgate.server.yaml.ConfigReader} returns a validated configuration, or throws all errors, each with file, line,
 * column and key. This package does not depend on the gateway that is built from the configuration.
 *
 * <p>The records read their own values: they request one declared key after another from a {@code Section}. Each
 * requested key is thereby known to the reader. A survey makes the same requests without a file. Therefore, three sets
 * of keys are always the same: the keys that are accepted, the keys in the schema, and the keys that {@link
 * dev.lychgate.server.yaml.ConfigReader#knownKeys()} lists.
 */
@NullMarked
package dev.lychgate.server.yaml;

import org.jspecify.annotations.NullMarked;
