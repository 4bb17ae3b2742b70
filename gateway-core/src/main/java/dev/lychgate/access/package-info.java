/**
 * Authentication and authorization. A request enters with its credentials and leaves with the identity of its sender, or is
 * rejected. The package {@code chain} orders the filters of this package; the package {@code exchange} runs them before the
 * other filters, and before those of the route.
 */
@NullMarked
package dev.lychgate.access;

import org.jspecify.annotations.NullMarked;
