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
 * The supported content codings. The codings {@code br} and {@code zstd} need one native library each. The two
 * libraries are loaded when a coding is used for the first time. If a library can't be loaded, one log line reports the
 * failure, and the coding is unavailable.
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

    /** The maximum number of encoded bytes that zlib outputs at a time. */
    private static final int ROOM = 8 * 1024;

    /** The memory of a zlib decoder, in bytes, which consists of its window of 32 KiB and its state. */
    static final long ZLIB_MEMORY = 48 << 10;

    private static final Logger LOG = LoggerFactory.getLogger(ContentCoding.class);

    private final int usual;

    ContentCoding(int usual) {
        this.usual = usual;
    }

    /**
     * Creates an encoder for one body.
     *
     * @param windowBits the binary logarithm of the window size in bytes; ignored if the coding does not support a
     *     choice
     * @throws IllegalStateException if this coding is not {@linkplain #isAvailable available}
     */
    public Encoder encoder(int level, int windowBits) {
        requireAvailable();
        return new Encoder(to -> encode(to, level, windowBits));
    }

    /**
     * Creates a decoder for one body.
     *
     * @throws IllegalStateException if this coding is not {@linkplain #isAvailable available}
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

    /** Loads the native library of the coding, if the coding needs one. */
    void load() {}

    /**
     * Returns an estimate of the native memory of an encoder, in bytes. At the highest levels, an encoder uses several
     * times the size of its window.
     */
    public long encoderMemory(int level, int windowBits) {
        if (this == GZIP || this == DEFLATE) {
            return 320 << 10;
        }
        return (3 << 19) + ((level < 10 ? 1L : 10L) << windowBits);
    }

    /** Returns the name of the coding in {@code Content-Encoding}. */
    public String token() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns the default compression level for bodies that are compressed separately for each response. */
    public int usualLevel() {
        return usual;
    }

    public boolean isAvailable() {
        return Loaded.CODINGS.contains(this);
    }

    /** Returns the coding with this name, which may be {@code x-gzip}; null if the name is unknown. */
    public static @Nullable ContentCoding of(String token) {
        String name = token.equalsIgnoreCase("x-gzip") ? "gzip" : token;
        return Arrays.stream(values())
                .filter(coding -> coding.token().equalsIgnoreCase(name))
                .findFirst()
                .orElse(null);
    }

    /** Loads the native libraries, and logs failures, when the class is used for the first time. */
    private static final class Loaded {
        static final List<ContentCoding> CODINGS =
                Arrays.stream(values()).filter(Loaded::load).toList();

        private static boolean load(ContentCoding coding) {
            try {
                coding.load();
                return true;
            } catch (Throwable e) {
                LOG.warn("coding {} is disabled: its library can't be loaded: {}", coding.token(), e.toString());
                return false;
            }
        }
    }
}
