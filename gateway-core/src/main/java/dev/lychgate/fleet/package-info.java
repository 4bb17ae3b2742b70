/**
 * The API of stores for fleets. A {@link dev.lychgate.fleet.FleetStore} keeps signed releases, heads and reports of
 * nodes as bytes. The module {@code gateway-server} verifies these bytes and contains some stores. Extensions
 * contribute further stores.
 */
@NullMarked
package dev.lychgate.fleet;

import org.jspecify.annotations.NullMarked;
