/**
 * HTTP/2 on one connection, for both sides of the gateway: frames, header blocks, streams and windows. The package
 * converts bytes to stream events; {@code listener} and {@code origin} implement the streams. The package uses Netty's
 * header compression and enforces all limits on a peer.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9113">RFC 9113 HTTP/2</a>
 */
@NullMarked
package dev.lychgate.http2;

import org.jspecify.annotations.NullMarked;
