/**
 * The seam between the wire and the heads. A decoder turns bytes into calls on a {@link dev.lychgate.codec.RequestSink}
 * or {@link dev.lychgate.codec.ResponseSink}; {@link dev.lychgate.codec.MessageWriter} turns heads and bodies into
 * bytes. Everything on this side of the seam sees heads and buffers, never a codec's own message objects; another codec
 * can take Netty's place without anybody noticing. Commons: knows no station.
 */
@NullMarked
package dev.lychgate.codec;

import org.jspecify.annotations.NullMarked;
