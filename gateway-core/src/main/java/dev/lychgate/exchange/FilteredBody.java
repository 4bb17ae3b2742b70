package dev.lychgate.exchange;

import dev.lychgate.filter.BodyTransform;
import dev.lychgate.filter.FilterSlot;
import dev.lychgate.filter.LogMark;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import java.io.ByteArrayOutputStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A body in which filters have a say: pieces wait here until all filters have run, are kept whole for those that need
 * them whole, and are replaced or changed as filters wish. There is none for a body that nothing waits for.
 *
 * <p>What a transform makes of a piece may come in parts ({@link BodyTransform#more}). {@link #next} gives one of them at a
 * time, so that no more is in memory than the receiver takes; pieces that come meanwhile wait.
 *
 * <p>Owns the pieces it holds. Used on the exchange's event loop, but for {@link #bytes}, {@link #replace} and
 * {@link #add}, which the filter that runs may call from its own thread: the loop leaves the body alone
 * while it does.
 */
final class FilteredBody {
    private static final Logger LOG = LoggerFactory.getLogger(FilteredBody.class);
    private static final byte[] NOTHING = {};

    private final ArrayDeque<Held> pieces = new ArrayDeque<>(2);
    private final Worker worker;
    private final FilteredExchange exchange;
    private final List<Step> transforms = new ArrayList<>(1);
    /** Every transform that is not closed yet, those of a body that was replaced included. */
    private final ArrayDeque<Step> open = new ArrayDeque<>(1);

    private long length;
    /** What is held of a body that has to be whole; null for one that goes as it comes. */
    private @Nullable HeldBody held;

    private int limit = Integer.MAX_VALUE;
    /** A filter waits for all of it, as the transforms that are there leave it. */
    private boolean gathering;

    private boolean ended;
    private HttpHeaders trailers = EmptyHttpHeaders.INSTANCE;
    private byte @Nullable [] whole;
    private boolean replaced;
    private boolean changed;
    private @Nullable Failure failure;

    /** What a transform has thrown. @param of the filter whose transform it is */
    record Failure(Throwable cause, FilterSlot of) {}

    private record Step(BodyTransform transform, FilterSlot of) {}

    /** A piece that waits. @param from the first of the transforms that has not seen it yet */
    private record Held(ByteBuf piece, int from) {}

    /** One call of a transform. */
    private interface Call {
        byte[] of(BodyTransform transform);
    }

    /** @param exchange whose body it is */
    FilteredBody(Worker worker, FilteredExchange exchange) {
        this.worker = worker;
        this.exchange = exchange;
    }

    // ---- what comes

    /**
     * Holds at most {@code bytes} from here on, for a filter that sees all of it: as the transforms of those before it leave
     * it, which are done with then. See {@link #failure}.
     *
     * @return whether what is held already is no more than that
     */
    boolean limitTo(int bytes) {
        limit = bytes;
        // A body that has ended grows no more, such as that of an error response for lack of memory.
        if (held == null && !ended) {
            held = new HeldBody(worker.loop(), this::release, exchange::onReclaim);
            keepAgain();
        }
        if (!transforms.isEmpty()) {
            if (replaced) {
                settle();
            } else {
                gather();
            }
        }
        return length <= bytes;
    }

    /** What came before the body had to be whole is counted from here on. */
    private void keepAgain() {
        List<Held> before = List.copyOf(pieces);
        pieces.clear();
        length = 0;
        before.forEach(held -> keep(held.piece(), held.from()));
    }

    /** Whether there was no memory for all of it: it is not whole, can't become so, and the exchange is aborted in its turn. */
    boolean isLost() {
        HeldBody h = held;
        return h != null && h.isLost();
    }

    private void gather() {
        gathering = true;
        whole = null;
        List<Held> before = List.copyOf(pieces);
        pieces.clear();
        length = 0;
        if (held != null) {
            held.begin();
        }
        before.forEach(this::take);
        if (ended && gathering) {
            gathered();
        }
    }

    /** Holds a piece. @return false if that makes it more than may be held; it is held all the same */
    boolean hold(ByteBuf piece) {
        take(new Held(piece, 0));
        return length <= limit;
    }

    private void take(Held held) {
        if (gathering && held.from() < transforms.size()) {
            gatherMore();
        }
        if (gathering) {
            keep(change(held), transforms.size());
            gatherMore();
        } else {
            keep(held.piece(), held.from());
        }
    }

    /** What is more than the filter may have is left as it came: it goes on without that filter, if it does. */
    private void gatherMore() {
        while (length <= limit && failure == null) {
            byte[] more = more();
            if (more == null) {
                return;
            }
            keep(Unpooled.wrappedBuffer(more), transforms.size());
        }
        gathering = false;
    }

    private void keep(ByteBuf piece, int from) {
        length += piece.readableBytes();
        HeldBody h = held;
        ByteBuf own = h == null ? piece : h.keep(piece);
        if (own != null) {
            pieces.add(new Held(own, from));
        }
    }

    /** Nothing more comes. */
    void end(HttpHeaders last) {
        ended = true;
        trailers = last;
        if (held != null) {
            held.complete();
        }
        if (gathering) {
            gathered();
        }
    }

    private void gathered() {
        gathering = false;
        keep(tail(), 0);
        List<Held> all = List.copyOf(pieces);
        pieces.clear();
        all.forEach(held -> pieces.add(new Held(held.piece(), 0)));
        transforms.clear();
        if (failure == null) {
            replace(bytes());
        }
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
            for (Held held : pieces) {
                ByteBuf piece = held.piece();
                int n = piece.readableBytes();
                piece.getBytes(piece.readerIndex(), all, at, n);
                at += n;
            }
            whole = all;
        }
        return all;
    }

    // ---- what filters make of it

    /** Takes the place of what has come and of what still comes. */
    void replace(byte[] by) {
        whole = by.clone();
        replaced = true;
        changed = false;
        transforms.clear();
    }

    /** @param of the filter whose transform it is */
    void add(BodyTransform transform, FilterSlot of) {
        Step step = new Step(transform, of);
        open.add(step);
        changed |= transform.changes();
        transforms.add(step);
    }

    /** The body as it has to go on, where all of it is known: its transforms are done with then. See {@link #failure}. */
    byte[] settle() {
        if (!transforms.isEmpty()) {
            byte[] settled = bytes().clone();
            for (Step step : transforms) {
                settled = toItsEnd(step, settled);
            }
            replace(settled);
            closeTransforms();
        }
        return bytes();
    }

    // ---- what goes on

    /** The next part of what is held, as it has to go on, to be owned by the caller; null if there is none (any more). */
    @Nullable
    ByteBuf next() {
        Held first = pieces.peek();
        if (first == null || first.from() == 0) {
            byte[] more = more();
            if (more != null) {
                return Unpooled.wrappedBuffer(more);
            }
        }
        if (first == null || failure != null) {
            return null;
        }
        pieces.remove();
        letGo();
        length -= first.piece().readableBytes();
        return change(first);
    }

    /** The body is sent from here on and no longer has to be whole: the budget takes nothing of it back. */
    private void letGo() {
        HeldBody h = held;
        if (h != null && !h.isLost()) {
            h.release();
            held = null;
        }
    }

    /** Whether {@link #next} has something to give, an empty part perhaps. */
    boolean hasNext() {
        return !pieces.isEmpty() || hasMore();
    }

    /** Whether transforms have not given yet all that they make of what has come. */
    boolean hasMore() {
        for (Step step : transforms) {
            if (hasMore(step)) {
                return true;
            }
        }
        return false;
    }

    /** A piece as it has to go on, or the first part of it; takes the one that came and gives the one that goes. */
    private ByteBuf change(Held held) {
        ByteBuf piece = held.piece();
        if (held.from() == transforms.size()) {
            return piece;
        }
        byte[] bytes = new byte[piece.readableBytes()];
        piece.getBytes(piece.readerIndex(), bytes);
        byte[] through = through(bytes, held.from());
        if (!changed && failure == null) {
            return piece;
        }
        piece.release();
        return Unpooled.wrappedBuffer(through);
    }

    /** The next part of a piece; null if there is none. The last transform that has one comes first: bytes keep their order. */
    private byte @Nullable [] more() {
        for (int i = transforms.size() - 1; i >= 0; i--) {
            if (hasMore(transforms.get(i))) {
                return through(call(transforms.get(i), BodyTransform::more), i + 1);
            }
        }
        return null;
    }

    /** @param from the first transform that has not seen {@code piece} yet */
    private byte[] through(byte[] piece, int from) {
        byte[] bytes = piece;
        for (int i = from; i < transforms.size() && bytes.length > 0; i++) {
            bytes = first(transforms.get(i), bytes);
        }
        return bytes;
    }

    /** What transforms keep back although somebody may be waiting for it. See {@link #failure}. */
    ByteBuf flush() {
        byte[] flushed = NOTHING;
        for (Step step : transforms) {
            byte[] given = whole(step, flushed);
            flushed = step.transform().changes() ? concatenated(given, call(step, BodyTransform::flush)) : given;
        }
        return Unpooled.wrappedBuffer(flushed);
    }

    /** What the transforms still have at the end: they are done with then. See {@link #failure}. */
    ByteBuf tail() {
        byte[] tail = NOTHING;
        for (Step step : transforms) {
            tail = toItsEnd(step, tail);
        }
        closeTransforms();
        return Unpooled.wrappedBuffer(tail);
    }

    // ---- one transform

    /** What goes on of {@code bytes}, and of what {@code step} has kept. */
    private byte[] toItsEnd(Step step, byte[] bytes) {
        byte[] given = whole(step, bytes);
        byte[] last = call(step, BodyTransform::end);
        return step.transform().changes() ? concatenated(given, last) : given;
    }

    /** All parts of what goes on of {@code bytes}. */
    private byte[] whole(Step step, byte[] bytes) {
        byte[] given = bytes.length == 0 ? NOTHING : first(step, bytes);
        if (!hasMore(step)) {
            return given;
        }
        ByteArrayOutputStream all = new ByteArrayOutputStream(2 * given.length);
        all.writeBytes(given);
        while (hasMore(step)) {
            all.writeBytes(call(step, BodyTransform::more));
        }
        return all.toByteArray();
    }

    /** The first part of it. */
    private byte[] first(Step step, byte[] bytes) {
        byte[] given = call(step, transform -> transform.piece(bytes));
        return step.transform().changes() ? given : bytes;
    }

    private boolean hasMore(Step step) {
        if (!step.transform().changes()) {
            return false;
        }
        boolean[] has = {false};
        call(step, transform -> {
            has[0] = transform.hasMore();
            return NOTHING;
        });
        return has[0] && failure == null;
    }

    private byte[] call(Step step, Call call) {
        if (failure != null) {
            return NOTHING;
        }
        worker.guard().enter(step.of(), exchange, worker.loop().nanoTime(), false);
        try {
            return given(call.of(step.transform()));
        } catch (Throwable e) {
            // Groovy throws what Java would have had declared.
            FilterRun.rethrowFatal(e);
            failure = new Failure(e, step.of());
            return NOTHING;
        } finally {
            worker.guard().leave();
        }
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
        if (then.length == 0) {
            return first;
        }
        if (first.length == 0) {
            return then;
        }
        byte[] both = Arrays.copyOf(first, first.length + then.length);
        System.arraycopy(then, 0, both, first.length, then.length);
        return both;
    }

    /** How a transform has failed; nothing that came of the body since is to be trusted. Null if none has. */
    @Nullable
    Failure failure() {
        return failure;
    }

    // ---- its end

    /** Lets go of what is held; what it was replaced with stays. */
    void release() {
        for (Held held = pieces.poll(); held != null; held = pieces.poll()) {
            held.piece().release();
        }
        length = 0;
    }

    /** Nobody wants it any more. */
    void close() {
        release();
        if (held != null) {
            held.release();
        }
        closeTransforms();
    }

    private void closeTransforms() {
        for (Step step = open.poll(); step != null; step = open.poll()) {
            worker.guard().enter(step.of(), exchange, worker.loop().nanoTime(), false);
            try {
                step.transform().close();
            } catch (Throwable e) {
                FilterRun.rethrowFatal(e);
                LogMark mark = exchange.mark();
                mark.on(LOG.atError()).setCause(e).log("{}{} failed to close its body transform", mark, step.of());
            } finally {
                worker.guard().leave();
            }
        }
    }
}
