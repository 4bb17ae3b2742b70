/**
 * The API of stores for fleets. A {@link dev.lychgate.fleet.FleetStore} keeps signed releases, heads and reports of
 * nodes as bytes. The module {@code gateway-server} verifies these bytes. The module also contains some implementations
 * of stores; extensions contribute additional implementations.
 */
@NullMarked
package dev.lychgate.fleet;

import org.jspecify.annotations.NullMarked;
