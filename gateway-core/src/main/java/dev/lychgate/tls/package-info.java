/**
 * TLS for the connections of clients and for the connections to origins. The package reads and validates certificates
 * and keys, creates TLS engines, and reports the results of handshakes. The package depends on no stage of the request
 * path.
 */
@NullMarked
package dev.lychgate.tls;

import org.jspecify.annotations.NullMarked;
