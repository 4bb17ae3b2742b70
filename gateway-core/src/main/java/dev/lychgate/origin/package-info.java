/**
 * Connections to origins. The package writes a request head and body, and reports the response to a
 * {@link dev.lychgate.origin.ResponseListener}. {@link dev.lychgate.origin.Reuse} alone decides whether a connection
 * may carry another request. The package is the last stage of the request path.
 */
@NullMarked
package dev.lychgate.origin;

import org.jspecify.annotations.NullMarked;
