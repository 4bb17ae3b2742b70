package dev.lychgate.filters.coding;

import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * Decodes the coding {@code deflate}, which has the zlib format. Raw deflate data is rejected, although some servers
 * send raw data in violation of the standard.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9110#section-8.4.1.2">RFC 9110, 8.4.1.2 Deflate Coding</a>
 */
final class DeflateDecoder implements Decoder {
    private final Inflater inflater = new Inflater();

    @Override
    public void feed(byte[] piece) {
        if (inflater.finished()) {
            throw new CodingException("trailing bytes");
        }
        inflater.setInput(piece);
    }

    @Override
    public int decode(byte[] into) {
        int n;
        try {
            n = inflater.inflate(into);
        } catch (DataFormatException e) {
            throw new CodingException("malformed zlib data");
        }
        if (inflater.needsDictionary()) {
            throw new CodingException("unknown dictionary");
        }
        if (n == 0 && inflater.finished() && inflater.getRemaining() > 0) {
            throw new CodingException("trailing bytes");
        }
        return n;
    }

    @Override
    public void end() {
        if (!inflater.finished()) {
            throw new CodingException("truncated data");
        }
    }

    @Override
    public long memory() {
        return ContentCoding.ZLIB_MEMORY;
    }

    @Override
    public void close() {
        inflater.end();
    }
}
