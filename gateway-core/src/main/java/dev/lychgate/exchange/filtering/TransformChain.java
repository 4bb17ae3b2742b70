package dev.lychgate.exchange.filtering;

import dev.lychgate.chain.FilterSlot;
import dev.lychgate.chain.LogMark;
import dev.lychgate.error.ErrorKind;
import dev.lychgate.error.GatewayError;
import dev.lychgate.exchange.filtering.items.ItemTransform;
import dev.lychgate.filter.BodyRefusal;
import dev.lychgate.filter.BodyTransform;
import dev.lychgate.loop.Holding;
import dev.lychgate.loop.MemoryBudget;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The body transforms of one message, in the order of their filters. The output of each transform is the input of the
 * next transform. A transform may deliver its output in parts ({@link BodyTransform#more}). After the first {@link
 * #failure}, no transform is called, and returned output is invalid. Used on the exchange's event loop, except {@link
 * #add}, which may run on the thread of a filter.
 */
final class TransformChain {
    private static final Logger LOG = LoggerFactory.getLogger(TransformChain.class);
    private static final byte[] NOTHING = {};
    /** The memory of an array in addition to its content, in bytes. */
    private static final int OVERHEAD = 32;

    private final FilterLoop loop;
    private final LogMark.Source exchange;
    private final List<Step> steps = new ArrayList<>(1);
    /** The transforms that are not closed, including the transforms of a replaced body. */
    private final ArrayDeque<Step> open = new ArrayDeque<>(1);

    private final Runnable onReclaim;
    /** The account of the memory that the transforms report; null if they have not reported any memory. */
    private @Nullable Holding memory;

    private boolean changes;
    private boolean closed;
    /** The memory of the output that {@link #whole} gathers, in bytes. */
    private long gathered;

    private @Nullable Failure failure;

    /**
     * An exception of a transform.
     *
     * @param of the filter that added the transform
     */
    record Failure(Throwable cause, FilterSlot of) {}

    private static final class Step {
        private final BodyTransform transform;
        private final FilterSlot of;
        /** The line of the filter's code that added the transform; null if unknown. */
        private final @Nullable StackTraceElement line;
        /**
         * Whether the transform changes bytes. The value is constant and is read once, because each call of the
         * filter's code costs time.
         */
        private final boolean changes;
        /** The memory of the transform after its last call, in bytes. */
        private long nativeMemory;

        private long heldMemory;

        Step(BodyTransform transform, FilterSlot of, @Nullable StackTraceElement line) {
            this.transform = transform;
            this.of = of;
            this.line = line;
            this.changes = transform.changes();
        }

        IllegalStateException broken(String how) {
            IllegalStateException failure = new IllegalStateException("the transform " + how);
            if (line != null) {
                failure.setStackTrace(new StackTraceElement[] {line});
            }
            return failure;
        }
    }

    /**
     * Creates an empty chain.
     *
     * @param onReclaim fails the exchange if the memory of transforms is reclaimed
     */
    TransformChain(FilterLoop loop, LogMark.Source exchange, Runnable onReclaim) {
        this.loop = loop;
        this.exchange = exchange;
        this.onReclaim = onReclaim;
    }

    /**
     * Adds a transform. Called during a run of the filter.
     *
     * @param of the filter that adds the transform
     */
    void add(BodyTransform transform, FilterSlot of) {
        Step step = new Step(transform, of, line(of));
        open.add(step);
        changes |= step.changes;
        steps.add(step);
    }

    /**
     * Returns the line of the filter that adds the transform, for filters that were loaded at run time. If the
     * transform later returns null, this line locates the transform, because the failure has no stack frame of the
     * filter.
     */
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

    /** Returns the failure of a transform; null if no transform has failed. */
    @Nullable
    Failure failure() {
        return failure;
    }

    /** Bypasses all transforms from now on. */
    void clear() {
        steps.clear();
    }

    /**
     * Bypasses all transforms from now on, because the body has its final bytes. After this call, {@link #changes}
     * returns false.
     */
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

    /**
     * Returns the next part of the output; null if there is no further part. The last transform with output delivers
     * first, so that the order of the bytes is kept.
     */
    byte @Nullable [] more() {
        for (int i = steps.size() - 1; i >= 0; i--) {
            if (hasMore(steps.get(i))) {
                Step step = steps.get(i);
                return through(call(step, transform -> more(step)), i + 1);
            }
        }
        return null;
    }

    /**
     * Returns the first part of the transformed {@code chunk}.
     *
     * @param from the index of the first transform to apply
     */
    byte[] through(byte[] chunk, int from) {
        byte[] bytes = chunk;
        for (int i = from; i < steps.size() && bytes.length > 0; i++) {
            bytes = first(steps.get(i), bytes);
        }
        return bytes;
    }

    /** Returns output that transforms have buffered. */
    byte[] flush() {
        byte[] flushed = NOTHING;
        for (Step step : steps) {
            byte[] given = whole(step, flushed);
            flushed = step.changes ? concatenated(given, call(step, BodyTransform::flush)) : given;
        }
        return flushed;
    }

    /** Transforms {@code bytes}, which are the rest of the body, and ends the transforms without closing them. */
    byte[] toTheEnd(byte[] bytes) {
        byte[] rest = bytes;
        for (Step step : steps) {
            byte[] given = whole(step, rest);
            byte[] last = call(step, BodyTransform::end);
            rest = step.changes ? concatenated(given, last) : given;
        }
        return rest;
    }

    /**
     * Passes {@code bytes} to one transform and returns the complete output. The watchdog monitors the production of
     * the whole output as one call, because the output may be endless.
     */
    private byte[] whole(Step step, byte[] bytes) {
        byte[] given = bytes.length == 0 ? NOTHING : first(step, bytes);
        if (!hasMore(step)) {
            return given;
        }
        List<byte[]> parts = new ArrayList<>();
        parts.add(given);
        call(step, transform -> {
            while (failure == null && transform.hasMore()) {
                byte[] part = more(step);
                parts.add(part);
                gathered += part.length + OVERHEAD;
                countMemory(step);
            }
            return NOTHING;
        });
        gathered = 0;
        return failure == null ? joined(parts) : NOTHING;
    }

    /** Passes {@code bytes} to one transform and returns the first part of the output. */
    private byte[] first(Step step, byte[] bytes) {
        byte[] given = call(step, transform -> transform.piece(bytes));
        return step.changes ? given : bytes;
    }

    private boolean hasMore(Step step) {
        if (!step.changes) {
            return false;
        }
        boolean[] has = {false};
        call(step, transform -> {
            has[0] = transform.hasMore();
            return NOTHING;
        });
        return has[0] && failure == null;
    }

    /**
     * Returns the next part of a transform's output. An empty part from a filter's transform must be the last part. If
     * further parts could follow an empty part, the gateway might request parts forever.
     */
    private static byte[] more(Step step) {
        byte[] part = given(step, step.transform.more());
        if (part.length == 0 && !(step.transform instanceof ItemTransform) && step.transform.hasMore()) {
            throw step.broken("returned no bytes from more(), but hasMore() still returns true");
        }
        return part;
    }

    private byte[] call(Step step, Function<BodyTransform, byte[]> call) {
        // While a part of a body passes through the chain, the exchange may end and close the chain.
        if (failure != null || closed) {
            return NOTHING;
        }
        loop.guard().enter(step.of, exchange, loop.nanoTime(), false);
        try {
            byte[] given = given(step, call.apply(step.transform));
            countMemory(step);
            return given;
        } catch (Throwable e) {
            // Groovy code may throw undeclared checked exceptions.
            failure = new Failure(e, step.of);
            return NOTHING;
        } finally {
            loop.guard().leave();
        }
    }

    /**
     * Counts the memory of all transforms against the memory budget, after each call. The native memory of transforms
     * counts with the reduced weight that applies to all memory outside Netty.
     */
    private void countMemory(Step step) {
        step.nativeMemory = step.transform.nativeMemory();
        step.heldMemory = step.transform.heldMemory();
        if (memory == null && step.nativeMemory == 0 && step.heldMemory == 0 && gathered == 0) {
            return;
        }
        long bytes = 0;
        long held = gathered;
        for (Step each : open) {
            bytes += each.nativeMemory;
            held += each.heldMemory;
        }
        Holding counted = memory;
        if (counted == null) {
            counted = loop.loop().memory().holding(new Holding.Owner() {
                @Override
                public void releaseBytes() {
                    refuse(step.of);
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
        // The call counts as progress, even if the memory is unchanged.
        counted.moved();
        if (!fits) {
            refuse(step.of);
        }
    }

    /** Returns the error for bodies that exceed the memory budget in filters. */
    static GatewayError refusal() {
        return GatewayError.local(ErrorKind.OVERLOADED, "the memory budget for bodies in filters is exhausted");
    }

    private void refuse(FilterSlot of) {
        failure = new Failure(new BodyRefusal(refusal()), of);
        close();
    }

    /** Checks that a transform has not returned null, which would violate its contract. */
    @SuppressWarnings("ConstantValue")
    private static byte[] given(Step step, byte @Nullable [] bytes) {
        if (bytes != null) {
            return bytes;
        }
        throw step.broken("returned null");
    }

    private static byte[] joined(List<byte[]> parts) {
        byte[] all = new byte[parts.stream().mapToInt(part -> part.length).sum()];
        int at = 0;
        for (byte[] part : parts) {
            System.arraycopy(part, 0, all, at, part.length);
            at += part.length;
        }
        return all;
    }

    private static byte[] concatenated(byte[] first, byte[] then) {
        if (then.length == 0) {
            return first;
        }
        if (first.length == 0) {
            return then;
        }
        return joined(List.of(first, then));
    }

    /** Closes all open transforms. No transform is called after this call. */
    void close() {
        closed = true;
        if (memory != null) {
            memory.release();
        }
        for (Step step = open.poll(); step != null; step = open.poll()) {
            loop.guard().enter(step.of, exchange, loop.nanoTime(), false);
            try {
                step.transform.close();
            } catch (Throwable e) {
                LogMark mark = exchange.mark();
                mark.on(LOG.atError())
                        .setCause(e)
                        .log("{}{} failed to close its body transform; the exception is ignored", mark, step.of);
            } finally {
                loop.guard().leave();
            }
        }
    }
}
