/**
 * The API of stores for fleets. A {@link dev.lychgate.fleet.FleetStore} keeps signed releases, heads and reports of nodes as bytes.
 * {@code gateway-server} verifies these bytes; it contains some stores, and extensions contribute others.
 */
@NullMarked
package dev.lychgate.fleet;

import org.jspecify.annotations.NullMarked;
