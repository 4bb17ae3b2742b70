/**
 * HTTP/1 decoding and encoding. A reader converts bytes to calls on a {@link dev.lychgate.codec.RequestSink} or {@link
 * dev.lychgate.codec.ResponseSink}; {@link dev.lychgate.codec.MessageWriter} converts heads and bodies to bytes. Other
 * packages handle heads and buffers, but no bytes of HTTP/1. The packages {@code listener} and {@code origin} use this
 * package, which depends on no stage of the request path.
 */
@NullMarked
package dev.lychgate.codec;

import org.jspecify.annotations.NullMarked;
