/**
 * Listening ports and client connections. The package reads request heads. For each head, the package creates an {@link
 * dev.lychgate.exchange.Exchange}, which is the next stage. The package also frames responses for the client and
 * decides whether the connection is kept. An HTTP/1.1 connection serves one request at a time and buffers pipelined
 * requests.
 */
@NullMarked
package dev.lychgate.listener;

import org.jspecify.annotations.NullMarked;
