/**
 * What an exchange knows about itself, below all rooms that change it: its phase and halves, the heads of both messages, the record
 * and the timeline for observers, and the client's side as an interface. Nothing in here knows a filter run, an attempt or the
 * exchange.
 */
@NullMarked
package dev.lychgate.exchange.state;

import org.jspecify.annotations.NullMarked;
