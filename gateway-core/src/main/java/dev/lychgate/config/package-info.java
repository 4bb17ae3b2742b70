/**
 * Settings as immutable records. Every record validates itself in its constructor and names key, value and expected
 * value; units are in the types. YAML is one reader of these records (in {@code gateway-server}), the builder is
 * another. A record that exists is valid by itself; {@link dev.lychgate.config.GatewayConfig} validates references
 * between records.
 *
 * <p>Each component is described, with its default and its range, by the {@link dev.lychgate.config.Key} of its name, and
 * for users by {@code docs/configuration.md}, which is generated from the keys.
 */
@NullMarked
package dev.lychgate.config;

import org.jspecify.annotations.NullMarked;
