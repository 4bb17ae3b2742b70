/**
 * The seam between the wire and the heads of HTTP/1. A reader turns bytes into calls on a {@link dev.lychgate.codec.RequestSink}
 * or {@link dev.lychgate.codec.ResponseSink}; {@link dev.lychgate.codec.MessageWriter} turns heads and bodies into bytes.
 * Everything else in the gateway sees heads and buffers, never bytes of a head. Commons: knows no station.
 */
@NullMarked
package dev.lychgate.codec;

import org.jspecify.annotations.NullMarked;
