package dev.lychgate.filters.builtin;

import dev.lychgate.config.ByteSize;
import dev.lychgate.error.ErrorKind;
import dev.lychgate.error.GatewayError;
import dev.lychgate.error.Retry;
import dev.lychgate.error.Side;
import dev.lychgate.filter.BodyRefusal;
import dev.lychgate.filter.BodyTransform;
import dev.lychgate.filters.coding.CodingCounters;
import dev.lychgate.filters.coding.CodingException;
import dev.lychgate.filters.coding.ContentCoding;
import dev.lychgate.filters.coding.Decoder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decodes one body while it streams, in parts of 64 KiB. At most two parts are decoded ahead of the reader, even if a
 * chunk is long. If a body has several codings, the limits apply to the result of each coding.
 */
final class DecodedBody implements BodyTransform {
    private static final byte[] NOTHING = {};
    private static final int PART = 64 * 1024;
    /** If a body has more decoded bytes than this number, the ratio of decoded to received length is checked. */
    private static final int RATIO_FREE = 1024 * 1024;
    /**
     * The buffer that all bodies on one thread share. The buffer is empty between two reads, so a body that waits for
     * input occupies no buffer.
     */
    private static final ThreadLocal<byte[]> ROOM = ThreadLocal.withInitial(() -> new byte[PART]);

    private final ContentCoding outermost;
    private final ByteSize maxBytes;
    private final int maxRatio;
    private final Side side;
    /** The decoders of the codings. The first element decodes the outermost coding, which was applied last. */
    private final List<Layer> layers = new ArrayList<>(1);

    private byte @Nullable [] next;
    private long came;

    private static final class Layer {
        private final Decoder decoder;
        private long made;

        Layer(Decoder decoder) {
            this.decoder = decoder;
        }
    }

    /**
     * Creates a transform that decodes one body.
     *
     * @param applied the codings in the order in which they were applied; at least one
     * @param maxRatio the maximum ratio of decoded to received length; checked after the first MiB of decoded bytes
     */
    DecodedBody(List<ContentCoding> applied, ByteSize maxBytes, int maxRatio, Side side) {
        this.outermost = applied.get(applied.size() - 1);
        this.maxBytes = maxBytes;
        this.maxRatio = maxRatio;
        this.side = side;
        for (int i = applied.size() - 1; i >= 0; i--) {
            layers.add(new Layer(applied.get(i).decoder()));
        }
    }

    @Override
    public byte[] piece(byte[] piece) {
        came += piece.length;
        try {
            layers.get(0).decoder.feed(piece);
        } catch (CodingException e) {
            throw malformed(e);
        }
        next = decode();
        return more();
    }

    @Override
    public boolean hasMore() {
        return next != null;
    }

    @Override
    public byte[] more() {
        byte[] part = next;
        if (part == null) {
            return NOTHING;
        }
        next = decode();
        return part;
    }

    private byte @Nullable [] decode() {
        try {
            byte[] room = ROOM.get();
            int n = read(layers.size() - 1, room);
            return n == 0 ? null : Arrays.copyOf(room, n);
        } catch (CodingException e) {
            throw malformed(e);
        }
    }

    /**
     * Decodes the next bytes of one coding.
     *
     * @return the number of bytes that were written into {@code into}; 0 if the decoder with this index needs more
     *     input
     */
    private int read(int index, byte[] into) {
        Layer layer = layers.get(index);
        int n = layer.decoder.decode(into);
        while (n == 0 && index > 0) {
            byte[] outer = new byte[PART];
            int m = read(index - 1, outer);
            if (m == 0) {
                return 0;
            }
            layer.decoder.feed(m == outer.length ? outer : Arrays.copyOf(outer, m));
            n = layer.decoder.decode(into);
        }
        layer.made += n;
        limit(layer.made);
        return n;
    }

    private void limit(long made) {
        if (made > maxBytes.bytes()) {
            throw refusal(CodingCounters.Refusal.BYTES, ErrorKind.BODY_TOO_LARGE, "decodes to more than " + maxBytes);
        }
        if (made > RATIO_FREE && made / maxRatio > came) {
            String than = "decodes to more than " + maxRatio + " times its size";
            throw refusal(CodingCounters.Refusal.RATIO, ErrorKind.BODY_TOO_LARGE, than);
        }
    }

    private BodyRefusal malformed(CodingException e) {
        String what = "does not match its Content-Encoding: " + e.getMessage();
        return refusal(CodingCounters.Refusal.MALFORMED, ErrorKind.MALFORMED_REQUEST, what);
    }

    /**
     * Counts and reports a body that is rejected.
     *
     * @param kind the kind of error if the body belongs to a request; if it belongs to a response, the error is always
     *     a malformed response
     */
    private BodyRefusal refusal(CodingCounters.Refusal counter, ErrorKind kind, String what) {
        CodingCounters.DECODED.refused(counter);
        return new BodyRefusal(
                side == Side.DOWNSTREAM
                        ? GatewayError.downstream(kind, "the request body " + what)
                        : GatewayError.upstream(
                                ErrorKind.MALFORMED_RESPONSE, Retry.NEVER, "the response body " + what));
    }

    @Override
    public long nativeMemory() {
        long bytes = 0;
        for (Layer layer : layers) {
            bytes += layer.decoder.memory();
        }
        return bytes;
    }

    @Override
    public byte[] end() {
        if (came > 0) {
            try {
                layers.forEach(layer -> layer.decoder.end());
            } catch (CodingException e) {
                throw malformed(e);
            }
        }
        return NOTHING;
    }

    @Override
    public void close() {
        layers.forEach(layer -> layer.decoder.close());
        CodingCounters.DECODED.count(outermost, layers.get(layers.size() - 1).made, came);
    }
}
