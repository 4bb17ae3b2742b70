/**
 * The state of an exchange: its phase, the progress of the request and of the response, the heads of both messages, the
 * record and the timeline for observers, and an interface to the client's side. The packages that run filters and
 * attempts, and the package {@code exchange}, may depend on this package, but not the reverse.
 */
@NullMarked
package dev.lychgate.exchange.state;

import org.jspecify.annotations.NullMarked;
