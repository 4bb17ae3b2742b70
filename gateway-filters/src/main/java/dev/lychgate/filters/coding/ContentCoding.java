package dev.lychgate.filters.coding;

import com.aayushatharva.brotli4j.Brotli4jLoader;
import com.github.luben.zstd.util.Native;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The codings that the gateway knows. Two of them need a library for the machine it runs on, which is loaded when the first
 * coding is looked for; where that fails, the log says so once, and the coding is not there.
 *
 * @see <a href="https://www.iana.org/assignments/http-parameters#content-coding">the registry of codings</a>
 */
public enum ContentCoding {
    ZSTD(1, 19, 3) {
        @Override
        Encoder newEncoder(int level, int windowBits) {
            return new ZstdEncoder(level, windowBits);
        }

        @Override
        Decoder newDecoder() {
            return new ZstdDecoder();
        }

        @Override
        void load() {
            Native.load();
        }
    },
    BR(0, 11, 4) {
        @Override
        Encoder newEncoder(int level, int windowBits) {
            return new BrotliEncoder(level, windowBits);
        }

        @Override
        Decoder newDecoder() {
            return new BrotliDecoder();
        }

        @Override
        void load() {
            Brotli4jLoader.ensureAvailability();
        }
    },
    GZIP(1, 9, 5) {
        @Override
        Encoder newEncoder(int level, int windowBits) {
            return new ZlibEncoder(true, level);
        }

        @Override
        Decoder newDecoder() {
            return new GzipDecoder();
        }
    },
    DEFLATE(1, 9, 5) {
        @Override
        Encoder newEncoder(int level, int windowBits) {
            return new ZlibEncoder(false, level);
        }

        @Override
        Decoder newDecoder() {
            return new DeflateDecoder();
        }
    };

    /** What zlib takes to decode a body, in bytes: its window of 32 KiB and its state. */
    static final long ZLIB_MEMORY = 48 << 10;

    private static final Logger LOG = LoggerFactory.getLogger(ContentCoding.class);

    private final int lowest;
    private final int highest;
    private final int usual;

    ContentCoding(int lowest, int highest, int usual) {
        this.lowest = lowest;
        this.highest = highest;
        this.usual = usual;
    }

    /**
     * Begins a body.
     *
     * @param windowBits where the coding lets one choose, how far back it looks, as a power of two
     * @throws IllegalStateException if it is not {@linkplain #isAvailable available}
     */
    public Encoder encoder(int level, int windowBits) {
        requireAvailable();
        return newEncoder(level, windowBits);
    }

    /**
     * Begins to undo the coding of a body.
     *
     * @throws IllegalStateException if it is not {@linkplain #isAvailable available}
     */
    public Decoder decoder() {
        requireAvailable();
        return newDecoder();
    }

    abstract Encoder newEncoder(int level, int windowBits);

    abstract Decoder newDecoder();

    private void requireAvailable() {
        if (!isAvailable()) {
            throw new IllegalStateException("the coding " + token() + " is not available on this machine");
        }
    }

    /** Loads what it needs of the machine, if anything. */
    void load() {}

    /** Returns an estimate of the native memory of an encoder, in bytes. The highest levels take several times the window. */
    public long encoderMemory(int level, int windowBits) {
        if (this == GZIP || this == DEFLATE) {
            return 320 << 10;
        }
        return (3 << 19) + ((level < 10 ? 1L : 10L) << windowBits);
    }

    /** As it stands in {@code Content-Encoding}. */
    public String token() {
        return name().toLowerCase(Locale.ROOT);
    }

    public int lowestLevel() {
        return lowest;
    }

    public int highestLevel() {
        return highest;
    }

    /** The level for bodies that are coded once, while somebody waits. */
    public int usualLevel() {
        return usual;
    }

    /** Whether it can be used on this machine. */
    public boolean isAvailable() {
        return Loaded.CODINGS.contains(this);
    }

    /** The coding of that name, {@code x-gzip} included; null if none is known. */
    public static @Nullable ContentCoding of(String token) {
        String name = token.equalsIgnoreCase("x-gzip") ? "gzip" : token;
        return Arrays.stream(values())
                .filter(coding -> coding.token().equalsIgnoreCase(name))
                .findFirst()
                .orElse(null);
    }

    /** Loads once, and tells once. */
    private static final class Loaded {
        static final List<ContentCoding> CODINGS =
                Arrays.stream(values()).filter(Loaded::load).toList();

        private static boolean load(ContentCoding coding) {
            try {
                coding.load();
                return true;
            } catch (Throwable e) {
                LOG.warn("coding {} is left out: its library can't be loaded here: {}", coding.token(), e.toString());
                return false;
            }
        }
    }
}
