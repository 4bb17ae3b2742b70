/**
 * The extension {@code authorization}: decides whether a request may proceed to its route. {@link
 * dev.lychgate.authorization.CelAuthorizer} evaluates expressions in the Common Expression Language on the event loop.
 * {@link dev.lychgate.authorization.ExtAuthz} sends a call-out in Envoy's {@code ext_authz} protocol to a service that
 * decides. Each of the two authorizers either lets the request continue or responds in place of the route.
 */
@NullMarked
package dev.lychgate.authorization;

import org.jspecify.annotations.NullMarked;
