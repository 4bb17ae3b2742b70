/**
 * The settings of the gateway as immutable records. Every record validates its components in its constructor, so every
 * record is valid by itself. {@link dev.lychgate.config.GatewayConfig} also validates references between records. If a
 * record refuses a value, the message names the key, the value and the expected values. Units are part of the types,
 * such as {@link java.time.Duration}. Records are created by the YAML reader (in {@code gateway-server}) or by the
 * builder.
 *
 * <p>The {@link dev.lychgate.config.Key} with the name of a component describes the component, its default and its
 * range. The page {@code docs/configuration.md} for users is generated from the keys.
 */
@NullMarked
package dev.lychgate.config;

import org.jspecify.annotations.NullMarked;
