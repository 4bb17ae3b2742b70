package dev.lychgate.exchange.filtering;

import dev.lychgate.chain.FilterSlot;
import dev.lychgate.chain.LogMark;
import dev.lychgate.error.ErrorKind;
import dev.lychgate.error.GatewayError;
import dev.lychgate.filter.BodyRefusal;
import dev.lychgate.filter.BodyTransform;
import dev.lychgate.loop.Holding;
import dev.lychgate.loop.MemoryBudget;
import java.io.ByteArrayOutputStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The body transforms of one message, in the order of their filters: the output of each is the input of the next. A
 * transform may deliver its output in parts ({@link BodyTransform#more}). After the first {@link #failure} no transform is
 * called, and later output is invalid. Used on the exchange's event loop, except {@link #add}.
 */
final class TransformChain {
    private static final Logger LOG = LoggerFactory.getLogger(TransformChain.class);
    private static final byte[] NOTHING = {};

    private final FilterLoop loop;
    private final LogMark.Source exchange;
    private final List<Step> steps = new ArrayList<>(1);
    /** Transforms that are not closed yet, including the transforms of a replaced body. */
    private final ArrayDeque<Step> open = new ArrayDeque<>(1);

    private final Runnable onReclaim;
    /** Memory that the transforms report; null while they report none. */
    private @Nullable Holding memory;

    private boolean changes;
    private boolean closed;
    private @Nullable Failure failure;

    /** An exception of a transform. @param of the filter that added it */
    record Failure(Throwable cause, FilterSlot of) {}

    /** @param line the filter's code that added the transform; null if unknown */
    private record Step(
            BodyTransform transform,
            FilterSlot of,
            @Nullable StackTraceElement line) {}

    /** A call of a transform. */
    private interface Call {
        byte[] of(BodyTransform transform);
    }

    /** @param onReclaim aborts the exchange if the memory of transforms is reclaimed */
    TransformChain(FilterLoop loop, LogMark.Source exchange, Runnable onReclaim) {
        this.loop = loop;
        this.exchange = exchange;
        this.onReclaim = onReclaim;
    }

    /** Adds a transform. @param of the filter that adds it */
    void add(BodyTransform transform, FilterSlot of) {
        Step step = new Step(transform, of, line(of));
        open.add(step);
        changes |= transform.changes();
        steps.add(step);
    }

    /** Returns the line that adds the transform, for filters loaded at run time: a null return leaves no frame. */
    private static @Nullable StackTraceElement line(FilterSlot of) {
        if (of.filter().definedIn().getClassLoader() == TransformChain.class.getClassLoader()) {
            return null;
        }
        return StackWalker.getInstance()
                .walk(frames -> frames.filter(frame -> of.isCodeOf(frame.getClassName()))
                        .findFirst()
                        .map(StackWalker.StackFrame::toStackTraceElement)
                        .orElse(null));
    }

    int size() {
        return steps.size();
    }

    /** Returns whether transforms may change the bytes, so that the final length is unknown. */
    boolean changes() {
        return changes;
    }

    /** Returns the failure of a transform; null if there is none. */
    @Nullable
    Failure failure() {
        return failure;
    }

    /** Bypasses all transforms from now on. */
    void clear() {
        steps.clear();
    }

    /** Like {@link #clear}, for a body with final bytes. */
    void settle() {
        changes = false;
        steps.clear();
    }

    /** Returns whether transforms have undelivered output. */
    boolean hasMore() {
        for (Step step : steps) {
            if (hasMore(step)) {
                return true;
            }
        }
        return false;
    }

    /** Returns the next part of a chunk or null. The last transform with output delivers first, which keeps the order. */
    byte @Nullable [] more() {
        for (int i = steps.size() - 1; i >= 0; i--) {
            if (hasMore(steps.get(i))) {
                return through(call(steps.get(i), BodyTransform::more), i + 1);
            }
        }
        return null;
    }

    /** Returns the first part of the transformed {@code chunk}. @param from index of the first transform to apply */
    byte[] through(byte[] chunk, int from) {
        byte[] bytes = chunk;
        for (int i = from; i < steps.size() && bytes.length > 0; i++) {
            bytes = first(steps.get(i), bytes);
        }
        return bytes;
    }

    /** Flushes output that transforms buffer. */
    byte[] flush() {
        byte[] flushed = NOTHING;
        for (Step step : steps) {
            byte[] given = whole(step, flushed);
            flushed = step.transform().changes() ? concatenated(given, call(step, BodyTransform::flush)) : given;
        }
        return flushed;
    }

    /** Transforms {@code bytes}, the rest of the body, and ends the transforms without closing them. */
    byte[] toTheEnd(byte[] bytes) {
        byte[] rest = bytes;
        for (Step step : steps) {
            byte[] given = whole(step, rest);
            byte[] last = call(step, BodyTransform::end);
            rest = step.transform().changes() ? concatenated(given, last) : given;
        }
        return rest;
    }

    /** Returns the complete output of one transform for {@code bytes}. */
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

    /** Returns the first part of that output. */
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
        // The exchange may end, and close the chain, while a part of a body passes through it.
        if (failure != null || closed) {
            return NOTHING;
        }
        loop.guard().enter(step.of(), exchange, loop.nanoTime(), false);
        try {
            byte[] given = given(step, call.of(step.transform()));
            countMemory(step);
            return given;
        } catch (Throwable e) {
            // Groovy code may throw undeclared checked exceptions.
            failure = new Failure(e, step.of());
            return NOTHING;
        } finally {
            loop.guard().leave();
        }
    }

    /** Counts the memory of transforms after the call that allocated it, native memory at the rate for memory outside Netty. */
    private void countMemory(Step step) {
        BodyTransform called = step.transform();
        if (memory == null && called.nativeMemory() == 0 && called.heldMemory() == 0) {
            return;
        }
        long bytes = 0;
        long held = 0;
        for (Step each : open) {
            bytes += each.transform().nativeMemory();
            held += each.transform().heldMemory();
        }
        Holding counted = memory;
        if (counted == null) {
            counted = loop.loop().memory().holding(new Holding.Owner() {
                @Override
                public void releaseBytes() {
                    refuse(step.of());
                }

                @Override
                public void onReclaim() {
                    onReclaim.run();
                }
            });
            memory = counted;
        }
        int all = (int) Math.min(Integer.MAX_VALUE, MemoryBudget.counted(bytes) + held);
        boolean fits = counted.hold(all, Holding.Kind.BODY);
        // Progress, even if the memory is unchanged.
        counted.moved();
        if (!fits) {
            refuse(step.of());
        }
    }

    /** Returns the error for bodies in filters that exceed the memory budget. */
    static GatewayError refusal() {
        return GatewayError.local(ErrorKind.OVERLOADED, "the memory for bodies in filters is used up");
    }

    private void refuse(FilterSlot of) {
        failure = new Failure(new BodyRefusal(refusal()), of);
        close();
    }

    /** Checks for null, which filters may return against their contract. */
    @SuppressWarnings("ConstantValue")
    private static byte[] given(Step step, byte @Nullable [] bytes) {
        if (bytes != null) {
            return bytes;
        }
        IllegalStateException failure = new IllegalStateException("the transform returned null");
        StackTraceElement line = step.line();
        if (line != null) {
            failure.setStackTrace(new StackTraceElement[] {line});
        }
        throw failure;
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

    /** Closes all open transforms. No transform is called after that. */
    void close() {
        closed = true;
        if (memory != null) {
            memory.release();
        }
        for (Step step = open.poll(); step != null; step = open.poll()) {
            loop.guard().enter(step.of(), exchange, loop.nanoTime(), false);
            try {
                step.transform().close();
            } catch (Throwable e) {
                LogMark mark = exchange.mark();
                mark.on(LOG.atError()).setCause(e).log("{}{} failed to close its body transform", mark, step.of());
            } finally {
                loop.guard().leave();
            }
        }
    }
}
