/**
 * Encoders of the application log, as text and as JSON. A message cannot end its line, and its control characters do
 * not reach a terminal. Both formats name the request and the route of the exchange to which a line belongs.
 */
@NullMarked
package dev.lychgate.server.textlog;

import org.jspecify.annotations.NullMarked;
