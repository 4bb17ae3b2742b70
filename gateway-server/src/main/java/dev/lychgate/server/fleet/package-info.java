/**
 * A fleet with one history: signed, immutable releases of a configuration, and one signed head for each space. A space
 * is the part of a store that belongs to one fleet. Its head states the release in force. A {@link
 * dev.lychgate.fleet.FleetStore} keeps the releases and the heads. Neither the store nor a node that reports to it is
 * trusted: each reader verifies signatures, digests and epochs.
 */
@NullMarked
package dev.lychgate.server.fleet;

import org.jspecify.annotations.NullMarked;
