/**
 * The extension {@code authorization}: decides whether a request may proceed to its route. {@link
 * dev.lychgate.authorization.CelAuthorizer} evaluates expressions in the Common Expression Language on the event loop.
 * {@link dev.lychgate.authorization.ExtAuthz} sends a call-out to a service that decides by Envoy's {@code ext_authz}
 * protocol. Both either let the request continue or respond in place of the route.
 */
@NullMarked
package dev.lychgate.authorization;

import org.jspecify.annotations.NullMarked;
