package dev.lychgate.exchange;

import dev.lychgate.filter.BodyTransform;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A body in which filters have a say: pieces wait here until all filters have run, are kept whole for those that need
 * them whole, and are replaced or changed as filters wish. There is none for a body that nothing waits for.
 *
 * <p>Owns the pieces it holds. Used on the exchange's event loop, but for {@link #bytes}, {@link #replace} and
 * {@link #add(BodyTransform)}, which the filter that runs may call from its own thread: the loop leaves the body alone
 * while it does.
 */
final class FilteredBody {
    private final ArrayDeque<ByteBuf> pieces = new ArrayDeque<>(2);
    private final List<BodyTransform> transforms = new ArrayList<>(1);
    private long length;
    private int limit = Integer.MAX_VALUE;
    private boolean ended;
    private HttpHeaders trailers = EmptyHttpHeaders.INSTANCE;
    private byte @Nullable [] whole;
    private boolean replaced;
    private @Nullable Throwable failure;

    /** Holds at most {@code bytes} from here on. @return whether what is held already is no more than that */
    boolean limitTo(int bytes) {
        limit = bytes;
        return length <= bytes;
    }

    /** Holds a piece. @return false if that makes it more than may be held; it is held all the same */
    boolean hold(ByteBuf piece) {
        pieces.add(piece);
        length += piece.readableBytes();
        return length <= limit;
    }

    /** Nothing more comes. */
    void end(HttpHeaders last) {
        ended = true;
        trailers = last;
    }

    boolean isEnded() {
        return ended;
    }

    HttpHeaders trailers() {
        return trailers;
    }

    boolean isReplaced() {
        return replaced;
    }

    boolean isTransformed() {
        return !transforms.isEmpty();
    }

    /** All that has come, or what it was replaced with; the filter's to read and not to change. */
    byte[] bytes() {
        byte[] all = whole;
        if (all == null) {
            all = new byte[Math.toIntExact(length)];
            int at = 0;
            for (ByteBuf piece : pieces) {
                int n = piece.readableBytes();
                piece.getBytes(piece.readerIndex(), all, at, n);
                at += n;
            }
            whole = all;
        }
        return all;
    }

    /** Takes the place of what has come and of what still comes. */
    void replace(byte[] by) {
        whole = by.clone();
        replaced = true;
        transforms.clear();
    }

    void add(BodyTransform transform) {
        transforms.add(transform);
    }

    /** The next held piece as it has to go on, to be owned by the caller; null if there are none (any more). */
    @Nullable
    ByteBuf next() {
        ByteBuf piece = pieces.poll();
        return piece == null ? null : change(piece);
    }

    /** A piece as it has to go on; takes the one that came and gives the one that goes. See {@link #failure}. */
    ByteBuf change(ByteBuf piece) {
        if (transforms.isEmpty()) {
            return piece;
        }
        byte[] bytes = new byte[piece.readableBytes()];
        piece.readBytes(bytes);
        piece.release();
        return guarded(() -> changed(bytes));
    }

    private byte[] changed(byte[] piece) {
        byte[] bytes = piece;
        for (BodyTransform transform : transforms) {
            bytes = transform.piece(bytes);
        }
        return bytes;
    }

    /** What the transforms still have at the end. See {@link #failure}. */
    ByteBuf tail() {
        return guarded(this::last);
    }

    private byte[] last() {
        byte[] tail = {};
        for (BodyTransform transform : transforms) {
            byte[] changed = tail.length == 0 ? tail : transform.piece(tail);
            byte[] last = transform.end();
            tail = new byte[changed.length + last.length];
            System.arraycopy(changed, 0, tail, 0, changed.length);
            System.arraycopy(last, 0, tail, changed.length, last.length);
        }
        return tail;
    }

    private ByteBuf guarded(Supplier<byte[]> work) {
        if (failure != null) {
            return Unpooled.EMPTY_BUFFER;
        }
        try {
            return Unpooled.wrappedBuffer(work.get());
        } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError e) {
            failure = e;
            return Unpooled.EMPTY_BUFFER;
        }
    }

    /** What a transform has thrown; nothing that came of the body since is to be trusted. Null if none has. */
    @Nullable
    Throwable failure() {
        return failure;
    }

    /** Lets go of what is held; what it was replaced with stays. */
    void release() {
        for (ByteBuf piece = pieces.poll(); piece != null; piece = pieces.poll()) {
            piece.release();
        }
        length = 0;
    }
}
