package dev.lychgate.filters.builtin;

import dev.lychgate.filter.BodyTransform;
import dev.lychgate.filters.coding.CodingCounters;
import dev.lychgate.filters.coding.ContentCoding;
import dev.lychgate.filters.coding.Encoder;
import org.jspecify.annotations.Nullable;

/** Compresses one body as it passes. Takes no memory before there is something to compress. */
final class CompressedBody implements BodyTransform {
    private static final byte[] NOTHING = {};

    private final ContentCoding coding;
    private final int level;
    private final int windowBits;
    private final boolean flushes;
    private @Nullable Encoder encoder;
    private long plain;
    private long coded;

    /** @param flushes whether somebody may be waiting for each piece: then none is kept back when a read is over */
    CompressedBody(ContentCoding coding, int level, int windowBits, boolean flushes) {
        this.coding = coding;
        this.level = level;
        this.windowBits = windowBits;
        this.flushes = flushes;
    }

    @Override
    public byte[] piece(byte[] piece) {
        plain += piece.length;
        return counted(encoder().encode(piece));
    }

    @Override
    public byte[] flush() {
        return flushes && encoder != null ? counted(encoder.flush()) : NOTHING;
    }

    @Override
    public byte[] end() {
        return counted(encoder().finish());
    }

    private byte[] counted(byte[] bytes) {
        coded += bytes.length;
        return bytes;
    }

    private Encoder encoder() {
        Encoder e = encoder;
        if (e == null) {
            e = coding.encoder(level, windowBits);
            encoder = e;
        }
        return e;
    }

    @Override
    public void close() {
        Encoder e = encoder;
        if (e != null) {
            encoder = null;
            e.close();
            CodingCounters.ENCODED.count(coding, plain, coded);
        }
    }
}
