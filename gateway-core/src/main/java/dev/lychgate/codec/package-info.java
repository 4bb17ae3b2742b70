/**
 * HTTP/1 decoding and encoding. A reader converts bytes to calls on a {@link dev.lychgate.codec.RequestSink} or {@link
 * dev.lychgate.codec.ResponseSink}; {@link dev.lychgate.codec.MessageWriter} converts heads and bodies to bytes. Other
 * packages use heads and buffers only. Shared package that does not depend on any stage of the request path.
 */
@NullMarked
package dev.lychgate.codec;

import org.jspecify.annotations.NullMarked;
