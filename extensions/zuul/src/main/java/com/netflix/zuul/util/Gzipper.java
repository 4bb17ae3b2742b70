package com.netflix.zuul.util;

import com.netflix.zuul.exception.ZuulException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.HttpContent;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.zip.GZIPOutputStream;

/** Compresses a body with gzip, chunk by chunk. */
public class Gzipper {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final GZIPOutputStream gzip;

    /** @throws ZuulException if the compression cannot begin */
    public Gzipper() throws ZuulException {
        try {
            gzip = new GZIPOutputStream(out, true);
        } catch (IOException e) {
            throw new ZuulException(e, "gzip cannot begin", "gzip");
        }
    }

    /** Compresses a chunk. */
    public void write(HttpContent chunk) throws ZuulException {
        write(chunk.content());
    }

    /** Compresses bytes. */
    public void write(ByteBuf bytes) throws ZuulException {
        try {
            gzip.write(ByteBufUtil.getBytes(bytes));
            gzip.flush();
        } catch (IOException e) {
            throw new ZuulException(e, "a chunk cannot be compressed", "gzip");
        }
    }

    /** Ends the compression. */
    public void finish() throws ZuulException {
        try {
            gzip.finish();
        } catch (IOException e) {
            throw new ZuulException(e, "gzip cannot end", "gzip");
        }
    }

    /** Returns the compressed bytes since the last call. */
    public ByteBuf getByteBuf() {
        ByteBuf bytes = Unpooled.copiedBuffer(out.toByteArray());
        out.reset();
        return bytes;
    }
}
