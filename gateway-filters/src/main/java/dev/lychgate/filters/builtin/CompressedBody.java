package dev.lychgate.filters.builtin;

import dev.lychgate.filter.BodyTransform;
import dev.lychgate.filters.coding.CodingCounters;
import dev.lychgate.filters.coding.ContentCoding;
import dev.lychgate.filters.coding.Encoder;
import dev.lychgate.loop.MemoryBudget;
import org.jspecify.annotations.Nullable;

/** Compresses one body while it streams. Allocates no memory before the first byte. */
final class CompressedBody implements BodyTransform {
    private static final byte[] NOTHING = {};

    private final ContentCoding coding;
    private final int level;
    private final int windowBits;
    private final boolean flushes;
    /** The memory of the encoder, in bytes, which counts against the memory budget of the process. */
    private final long memory;

    private @Nullable Encoder encoder;
    private long plain;
    private long coded;

    private CompressedBody(ContentCoding coding, int level, int windowBits, boolean flushes, long memory) {
        this.memory = memory;
        this.coding = coding;
        this.level = level;
        this.windowBits = windowBits;
        this.flushes = flushes;
    }

    /**
     * Returns a transform that reserves the memory of its encoder until it is closed. Returns null if the memory in use
     * would then exceed half of the memory budget.
     *
     * @param flushes whether the encoder is flushed at the end of each read, because the client may wait for each chunk
     */
    static @Nullable CompressedBody of(ContentCoding coding, int level, int windowBits, boolean flushes) {
        MemoryBudget budget = MemoryBudget.OF_PROCESS;
        long memory = MemoryBudget.counted(coding.encoderMemory(level, windowBits));
        return budget.take(memory, budget.most() / 2)
                ? new CompressedBody(coding, level, windowBits, flushes, memory)
                : null;
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
        MemoryBudget.OF_PROCESS.giveBack(memory);
        Encoder e = encoder;
        if (e != null) {
            encoder = null;
            e.close();
            CodingCounters.ENCODED.count(coding, plain, coded);
        }
    }
}
