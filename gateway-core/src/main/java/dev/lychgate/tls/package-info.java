/**
 * TLS, for whoever speaks it: reads certificates and keys, refuses those that can't work, makes engines of them, and says
 * what a handshake came to. Knows no station.
 */
@NullMarked
package dev.lychgate.tls;

import org.jspecify.annotations.NullMarked;
