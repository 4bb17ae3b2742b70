package dev.lychgate.http2;

import dev.lychgate.codec.DecoderLimits;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.util.AsciiString;

/**
 * Decodes header blocks with Netty's decompression. If a block exceeds the limits, this class stores only its first
 * fields, but decodes all fields, because every field can change the compression table for later blocks.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc7541">RFC 7541 HPACK</a>
 */
final class HeaderBlockDecoder extends DefaultHttp2HeadersDecoder {
    private final HeaderFields fields;
    private final Http2Headers sink = new Sink();

    HeaderBlockDecoder(DecoderLimits limits) {
        // No validation here, because HeaderFields validates the fields by the rules of HTTP/1.1 and HTTP/2.
        super(false, limits.headerBytes());
        this.fields = new HeaderFields(limits.headerCount());
    }

    /** Returns the fields of {@code block}, valid until the next call. */
    HeaderFields decode(int stream, ByteBuf block) throws Http2Fault {
        fields.clear();
        try {
            decodeHeaders(stream, block);
        } catch (Http2Exception.HeaderListSizeException e) {
            fields.tooLarge();
        } catch (Http2Exception e) {
            throw Http2Fault.ofConnection(Http2Error.COMPRESSION_ERROR, "a header block cannot be decoded");
        }
        return fields;
    }

    @Override
    protected Http2Headers newHeaders() {
        return sink;
    }

    /** Adds decoded fields to {@code fields} and stores nothing itself. */
    private final class Sink extends DefaultHttp2Headers {
        Sink() {
            super(false, 0);
        }

        @Override
        public Http2Headers add(CharSequence name, CharSequence value) {
            fields.add((AsciiString) name, (AsciiString) value);
            return this;
        }
    }
}
