/**
 * Authentication and authorization. A request enters with its credentials and leaves with the identity of its sender,
 * or is rejected. The package {@code chain} orders the filters of this package; the package {@code exchange} runs them.
 * The authentication of a listener precedes the global filters. The authentication and authorization of a route precede
 * the filters of the route.
 */
@NullMarked
package dev.lychgate.access;

import org.jspecify.annotations.NullMarked;
