/**
 * Encoders of the application log, as text and as JSON. A message cannot end its line, and its control characters do not
 * reach a terminal. Both formats name the request and the route of the exchange that a line belongs to.
 */
@NullMarked
package dev.lychgate.server.textlog;

import org.jspecify.annotations.NullMarked;
