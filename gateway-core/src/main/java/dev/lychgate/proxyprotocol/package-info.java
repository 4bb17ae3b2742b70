/** The PROXY protocol, in which a proxy announces the address of its client at the start of a connection. */
@NullMarked
package dev.lychgate.proxyprotocol;

import org.jspecify.annotations.NullMarked;
