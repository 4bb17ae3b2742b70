/**
 * TLS for both sides of the gateway: reads and validates certificates and keys, creates engines, and reports the results of
 * handshakes. The package depends on no stage of the request path.
 */
@NullMarked
package dev.lychgate.tls;

import org.jspecify.annotations.NullMarked;
