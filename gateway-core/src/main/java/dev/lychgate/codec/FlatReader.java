package dev.lychgate.codec;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.LastHttpContent;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads messages that are plainly what most messages are: HTTP/1.1, without a body or with one of a length that is told once,
 * the head here in one piece. Their fields stay bytes ({@link FlatHeaders}). Any other message it leaves unread, from the first
 * byte to the last, to Netty's decoder; so it can take nothing that Netty would not take, and no message ends elsewhere.
 *
 * <p>What it makes are Netty's messages, so that all that follows is the same whoever has read them. Behind a {@link HeadGate}, which
 * has looked at every byte.
 */
abstract class FlatReader {
    static final int VERSION_LENGTH = 8;
    /** More digits might not fit into a long. */
    private static final int MOST_DIGITS = 18;

    private static final int LONGEST_HEAD = 0xffff;

    private static final byte[] HTTP_1_1 = {'H', 'T', 'T', 'P', '/', '1', '.', '1'};

    /** What {@link #length} says if no field tells one. */
    private static final long NONE = -1;
    /** What it says if that is not plain. */
    private static final long UNCLEAR = -2;

    /** What is still to come of a body. */
    private long left;
    /** What the fields read last say of the length of the body. */
    private long told;

    /**
     * Reads the head, or the piece of body, that is next.
     *
     * @return whether it did; if not, the message is Netty's, to its end
     */
    final boolean read(ByteBuf in, HeadGate gate, List<Object> out) {
        if (left > 0) {
            int piece = (int) Math.min(left, in.readableBytes());
            out.add(in.readRetainedSlice(piece));
            left -= piece;
            if (left == 0) {
                out.add(LastHttpContent.EMPTY_LAST_CONTENT);
            }
            return true;
        }
        HeadIndex index = gate.takeIndex();
        int length = gate.headLength();
        if (index == null || index.count() > HeadIndex.MOST_FIELDS || length > LONGEST_HEAD) {
            return false;
        }
        byte[] head = new byte[length];
        in.getBytes(in.readerIndex(), head);
        HttpMessage message = message(head, index);
        if (message == null) {
            return false;
        }
        in.skipBytes(length);
        out.add(message);
        if (left == 0) {
            out.add(LastHttpContent.EMPTY_LAST_CONTENT);
        }
        return true;
    }

    /** How much of the body under way has not been read; 0 if there is none. */
    final long left() {
        return left;
    }

    /** So much of the body has gone another way; some of it is left. */
    final void pass(long bytes) {
        left -= bytes;
    }

    /** The message that begins with that head, after {@link #body} has been told of its body; null if it is not plain. */
    abstract @Nullable HttpMessage message(byte[] head, HeadIndex index);

    /** Its fields; null if they leave any doubt about where the body ends. */
    final @Nullable FlatHeaders fields(byte[] head, HeadIndex index) {
        FlatHeaders fields = FlatHeaders.of(head, index);
        told = length(fields);
        return fields.contains(HttpHeaderNames.TRANSFER_ENCODING) || told == UNCLEAR ? null : fields;
    }

    /** Says that a body of the length follows which the fields tell. @return false if they tell none */
    final boolean body() {
        left = Math.max(0, told);
        return told != NONE;
    }

    private static long length(FlatHeaders fields) {
        String first = fields.get(HttpHeaderNames.CONTENT_LENGTH);
        if (first == null) {
            return NONE;
        }
        int digits = first.length();
        if (digits == 0
                || digits > MOST_DIGITS
                || fields.getAll(HttpHeaderNames.CONTENT_LENGTH).size() > 1) {
            return UNCLEAR;
        }
        long length = 0;
        for (int i = 0; i < digits; i++) {
            int digit = first.charAt(i) - '0';
            if (digit < 0 || digit > 9) {
                return UNCLEAR;
            }
            length = length * 10 + digit;
        }
        return length;
    }

    /** Whether the version at {@code at} is HTTP/1.1. */
    static boolean isHttp11(byte[] head, int at) {
        for (int i = 0; i < VERSION_LENGTH; i++) {
            if (head[at + i] != HTTP_1_1[i]) {
                return false;
            }
        }
        return true;
    }
}
