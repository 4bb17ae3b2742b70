package dev.lychgate.filters.coding;

import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * Decodes the coding {@code gzip}, which consists of one or more members. Verifies the headers, checksums and lengths
 * of the members.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc1952#section-2.3">RFC 1952, 2.3 Member format</a>
 */
final class GzipDecoder implements Decoder {
    private static final int HEADER_CHECKSUM = 0x02;
    private static final int EXTRA = 0x04;
    private static final int NAME = 0x08;
    private static final int COMMENT = 0x10;
    private static final int RESERVED = 0xe0;
    private static final int[] MAGIC = {0x1f, 0x8b, 8};

    private final Inflater inflater = new Inflater(true);
    private final CRC32 checksum = new CRC32();
    private byte[] input = {};
    private int at;
    private Part part = Part.FIXED;
    /** The number of bytes that have been read of the current part. */
    private int read;

    private int flags;
    /**
     * Number whose bytes are being read: the length of the extra field, or the checksum and the length in the trailer.
     */
    private long number;

    /** The parts of a member. The state of the decoder is the part that contains the next byte. */
    private enum Part {
        /** Ten bytes with magic number, method, flags, and unused fields. */
        FIXED,
        EXTRA_LENGTH,
        EXTRA_FIELD,
        /** The file name, which ends with a zero byte. The comment has the same format. */
        FILE_NAME,
        FILE_COMMENT,
        CHECKSUM_OF_HEADER,
        DATA,
        /** The checksum and the length, with four bytes each. */
        TRAILER
    }

    @Override
    public void feed(byte[] piece) {
        input = piece;
        at = 0;
        if (part == Part.DATA) {
            inflater.setInput(piece);
        }
    }

    @Override
    public int decode(byte[] into) {
        while (true) {
            if (part == Part.DATA) {
                int n = inflate(into);
                if (n > 0 || !inflater.finished()) {
                    return n;
                }
                at = input.length - inflater.getRemaining();
                become(Part.TRAILER);
            } else if (at == input.length) {
                return 0;
            } else {
                take(input[at++] & 0xff);
            }
        }
    }

    private int inflate(byte[] into) {
        try {
            int n = inflater.inflate(into);
            checksum.update(into, 0, n);
            return n;
        } catch (DataFormatException e) {
            throw new CodingException("malformed deflate data");
        }
    }

    private void take(int b) {
        read++;
        switch (part) {
            case FIXED -> fixed(b);
            case EXTRA_LENGTH -> {
                number |= (long) b << (8 * (read - 1));
                if (read == 2) {
                    int length = (int) number;
                    become(length == 0 ? behindExtra() : Part.EXTRA_FIELD);
                    number = length;
                }
            }
            case EXTRA_FIELD -> {
                if (read == number) {
                    become(behindExtra());
                }
            }
            case FILE_NAME -> {
                if (b == 0) {
                    become(behindName());
                }
            }
            case FILE_COMMENT -> {
                if (b == 0) {
                    become(behindComment());
                }
            }
            case CHECKSUM_OF_HEADER -> {
                if (read == 2) {
                    become(Part.DATA);
                }
            }
            case TRAILER -> trailer(b);
            case DATA -> throw new IllegalStateException("only the inflater reads data");
        }
    }

    private void fixed(int b) {
        if (read <= MAGIC.length && b != MAGIC[read - 1]) {
            throw new CodingException("missing gzip header");
        }
        if (read == 4) {
            if ((b & RESERVED) != 0) {
                throw new CodingException("unknown gzip flags");
            }
            flags = b;
        } else if (read == 10) {
            become((flags & EXTRA) != 0 ? Part.EXTRA_LENGTH : behindExtra());
        }
    }

    private Part behindExtra() {
        return (flags & NAME) != 0 ? Part.FILE_NAME : behindName();
    }

    private Part behindName() {
        return (flags & COMMENT) != 0 ? Part.FILE_COMMENT : behindComment();
    }

    private Part behindComment() {
        return (flags & HEADER_CHECKSUM) != 0 ? Part.CHECKSUM_OF_HEADER : Part.DATA;
    }

    private void trailer(int b) {
        number |= (long) b << (8 * (read - 1));
        if (read == 8) {
            long length = inflater.getBytesWritten() & 0xffffffffL;
            if (number != (length << 32 | checksum.getValue())) {
                throw new CodingException("checksum or length mismatch");
            }
            become(Part.FIXED);
        }
    }

    private void become(Part next) {
        part = next;
        read = 0;
        number = 0;
        if (next == Part.DATA) {
            inflater.reset();
            checksum.reset();
            inflater.setInput(input, at, input.length - at);
        }
    }

    @Override
    public void end() {
        if (part != Part.FIXED || read > 0) {
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
