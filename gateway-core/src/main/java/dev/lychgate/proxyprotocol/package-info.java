/** The PROXY protocol: what a proxy says of its client before anything else is said on a connection. */
@NullMarked
package dev.lychgate.proxyprotocol;

import org.jspecify.annotations.NullMarked;
