/**
 * State of an exchange: phase and halves, the heads of both messages, the record and timeline for observers, and the
 * client's side as an interface. The package depends on no filter run, no attempt and not on the exchange itself.
 */
@NullMarked
package dev.lychgate.exchange.state;

import org.jspecify.annotations.NullMarked;
