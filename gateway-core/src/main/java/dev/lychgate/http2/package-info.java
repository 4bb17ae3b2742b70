/**
 * HTTP/2 on one connection: frames, header blocks, streams and their windows, the same for both sides of the gateway.
 * Bytes arrive, and what happens to streams leaves; who serves a stream, or asks by one, sits in {@code listener} and
 * {@code origin}. Header compression is Netty's; everything that limits what a peer may cost us is here.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9113">RFC 9113 HTTP/2</a>
 */
@NullMarked
package dev.lychgate.http2;

import org.jspecify.annotations.NullMarked;
