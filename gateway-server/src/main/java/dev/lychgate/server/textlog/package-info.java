/**
 * Encodes the application log as text or as JSON. A message cannot end its line, and its control characters do not
 * reach a terminal. Both formats contain the request id and the route of the exchange to which a line belongs.
 */
@NullMarked
package dev.lychgate.server.textlog;

import org.jspecify.annotations.NullMarked;
