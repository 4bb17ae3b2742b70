/**
 * Encoders of the application log, as text and as JSON. A message cannot end its line, and control characters in it do not
 * reach a terminal, whatever their origin. Both forms name the request and the route of the exchange that a line belongs to.
 */
@NullMarked
package dev.lychgate.server.textlog;

import org.jspecify.annotations.NullMarked;
