package dev.lychgate.exchange;

import dev.lychgate.filter.BodyTransform;
import dev.lychgate.filter.FilterSlot;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A body in which filters have a say: pieces wait here until all filters have run, are kept whole for those that need
 * them whole, and are replaced or changed as filters wish. There is none for a body that nothing waits for.
 *
 * <p>Owns the pieces it holds. Used on the exchange's event loop, but for {@link #bytes}, {@link #replace} and
 * {@link #add}, which the filter that runs may call from its own thread: the loop leaves the body alone
 * while it does.
 */
final class FilteredBody {
    private static final byte[] NOTHING = {};

    private final ArrayDeque<ByteBuf> pieces = new ArrayDeque<>(2);
    private final Worker worker;
    private final List<Step> transforms = new ArrayList<>(1);
    private long length;
    private int limit = Integer.MAX_VALUE;
    private boolean ended;
    private HttpHeaders trailers = EmptyHttpHeaders.INSTANCE;
    private byte @Nullable [] whole;
    private boolean replaced;
    private boolean changed;
    private @Nullable Failure failure;

    /** What a transform has thrown. @param of the filter whose transform it is */
    record Failure(Throwable cause, FilterSlot of) {}

    private record Step(BodyTransform transform, FilterSlot of) {}

    FilteredBody(Worker worker) {
        this.worker = worker;
    }

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

    /** Whether other bytes may go on than have come, and none knows how many. */
    boolean isChanged() {
        return changed;
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
        changed = false;
        transforms.clear();
    }

    /** @param of the filter whose transform it is */
    void add(BodyTransform transform, FilterSlot of) {
        changed |= transform.changes();
        transforms.add(new Step(transform, of));
    }

    /** The body as it has to go on, where all of it is known: its transforms are done with then. See {@link #failure}. */
    byte[] settle() {
        if (!transforms.isEmpty()) {
            byte[] came = bytes().clone();
            replace(concatenated(through(came), last()));
        }
        return bytes();
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
        piece.getBytes(piece.readerIndex(), bytes);
        byte[] through = through(bytes);
        if (!changed && failure == null) {
            return piece;
        }
        piece.release();
        return Unpooled.wrappedBuffer(through);
    }

    private byte[] through(byte[] piece) {
        byte[] bytes = piece;
        for (Step step : transforms) {
            bytes = step(step, bytes, false);
        }
        return bytes;
    }

    /** @return what goes on of {@code piece}, and of what a transform has kept if it is the {@code last} */
    private byte[] step(Step step, byte[] piece, boolean last) {
        if (failure != null) {
            return NOTHING;
        }
        BodyTransform transform = step.transform();
        worker.guard().enter(step.of(), worker.loop().nanoTime(), false);
        try {
            byte[] result = last && piece.length == 0 ? piece : given(transform.piece(piece));
            byte[] all = last ? concatenated(result, given(transform.end())) : result;
            return transform.changes() ? all : piece;
        } catch (Throwable e) {
            // Groovy throws what Java would have had declared.
            FilterRun.rethrowFatal(e);
            failure = new Failure(e, step.of());
            return NOTHING;
        } finally {
            worker.guard().leave();
        }
    }

    /** What the transforms still have at the end. See {@link #failure}. */
    ByteBuf tail() {
        return Unpooled.wrappedBuffer(last());
    }

    private byte[] last() {
        byte[] tail = NOTHING;
        for (Step step : transforms) {
            tail = step(step, tail, true);
        }
        return tail;
    }

    /** Transforms are written by others, who may forget what they return. */
    @SuppressWarnings("ConstantValue")
    private static byte[] given(byte @Nullable [] bytes) {
        if (bytes == null) {
            throw new IllegalStateException("it returned null");
        }
        return bytes;
    }

    private static byte[] concatenated(byte[] first, byte[] then) {
        byte[] both = Arrays.copyOf(first, first.length + then.length);
        System.arraycopy(then, 0, both, first.length, then.length);
        return both;
    }

    /** How a transform has failed; nothing that came of the body since is to be trusted. Null if none has. */
    @Nullable
    Failure failure() {
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
