/** The PROXY protocol, by which a proxy announces its client's address at the start of a connection. */
@NullMarked
package dev.lychgate.proxyprotocol;

import org.jspecify.annotations.NullMarked;
