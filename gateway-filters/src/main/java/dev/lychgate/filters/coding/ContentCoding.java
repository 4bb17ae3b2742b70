package dev.lychgate.filters.coding;

import com.aayushatharva.brotli4j.Brotli4jLoader;
import com.aayushatharva.brotli4j.encoder.BrotliOutputStream;
import com.aayushatharva.brotli4j.encoder.Encoder.Parameters;
import com.github.luben.zstd.ZstdOutputStreamNoFinalizer;
import com.github.luben.zstd.util.Native;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;
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
    ZSTD(3) {
        @Override
        OutputStream encode(OutputStream to, int level, int windowBits) throws IOException {
            return new ZstdOutputStreamNoFinalizer(to, level).setWindowLog(windowBits);
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
    BR(4) {
        @Override
        OutputStream encode(OutputStream to, int level, int windowBits) throws IOException {
            return new BrotliOutputStream(to, new Parameters().setQuality(level).setWindow(windowBits));
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
    GZIP(5) {
        @Override
        OutputStream encode(OutputStream to, int level, int windowBits) throws IOException {
            return new GZIPOutputStream(to, ROOM, true) {
                {
                    def.setLevel(level);
                }
            };
        }

        @Override
        Decoder newDecoder() {
            return new GzipDecoder();
        }
    },
    DEFLATE(5) {
        @Override
        OutputStream encode(OutputStream to, int level, int windowBits) {
            return new DeflaterOutputStream(to, true) {
                {
                    def.setLevel(level);
                    buf = new byte[ROOM];
                }
            };
        }

        @Override
        Decoder newDecoder() {
            return new DeflateDecoder();
        }
    };

    /** Coded bytes that zlib hands over at once. */
    private static final int ROOM = 8 * 1024;

    /** What zlib takes to decode a body, in bytes: its window of 32 KiB and its state. */
    static final long ZLIB_MEMORY = 48 << 10;

    private static final Logger LOG = LoggerFactory.getLogger(ContentCoding.class);

    private final int usual;

    ContentCoding(int usual) {
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
        return new Encoder(to -> encode(to, level, windowBits));
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

    abstract OutputStream encode(OutputStream to, int level, int windowBits) throws IOException;

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
