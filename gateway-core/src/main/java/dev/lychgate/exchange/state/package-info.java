/**
 * The state of an exchange: its phase and halves, the heads of both messages, the record and the timeline for
 * observers, and an interface to the client's side. This package depends neither on the packages that run filters and
 * attempts, nor on the package {@code exchange}.
 */
@NullMarked
package dev.lychgate.exchange.state;

import org.jspecify.annotations.NullMarked;
