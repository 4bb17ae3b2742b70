package dev.lychgate.exchange.call;

import dev.lychgate.config.CompareConfig;
import dev.lychgate.http.Redaction;
import dev.lychgate.loop.MemoryBudget;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The two responses to a mirrored request. Any thread may compare them. The bytes of a pair count against the memory
 * budget until the pair is closed.
 */
public final class MirrorPair implements AutoCloseable {
    private final String requestId;
    private final String method;
    private final String target;
    private final CompareConfig config;
    private final Redaction redaction;
    private final ComparedResponse primary;
    private final ComparedResponse shadow;
    private final int bytes;
    private final AtomicBoolean closed = new AtomicBoolean();

    private MirrorPair(
            Request request, CompareConfig config, ComparedResponse primary, ComparedResponse shadow, int bytes) {
        this.requestId = request.id();
        this.method = request.method();
        this.target = request.target();
        this.redaction = request.redaction();
        this.config = config;
        this.primary = primary;
        this.shadow = shadow;
        this.bytes = bytes;
    }

    /**
     * The request without its body.
     *
     * @param target the path and the redacted query
     */
    record Request(String id, String method, String target, Redaction redaction) {}

    /**
     * Creates a pair and reserves its memory.
     *
     * @return null if the budget has no room
     */
    static @Nullable MirrorPair of(
            Request request, CompareConfig config, ComparedResponse primary, ComparedResponse shadow) {
        int bytes = request.target().length() + primary.size() + shadow.size();
        MemoryBudget budget = MemoryBudget.OF_PROCESS;
        // The memory of a pair cannot be reclaimed before the comparison, so all pairs together may use at most one
        // eighth of the budget.
        return budget.take(bytes, budget.most() / 8) ? new MirrorPair(request, config, primary, shadow, bytes) : null;
    }

    /** Returns the id of the request. The origin of the route and the origin of the mirror have received this id. */
    public String requestId() {
        return requestId;
    }

    public String method() {
        return method;
    }

    /** Returns the path and the redacted query of the request. */
    public String target() {
        return target;
    }

    /** Returns the settings of the comparison. */
    public CompareConfig config() {
        return config;
    }

    /** Returns the redaction of the generation that served the request. */
    public Redaction redaction() {
        return redaction;
    }

    /** Returns the response of the route's origin, before outbound filters. */
    public ComparedResponse primary() {
        return primary;
    }

    /** Returns the response to the copy. */
    public ComparedResponse shadow() {
        return shadow;
    }

    /** Releases the bytes of the pair in the memory budget. Idempotent. */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            MemoryBudget.OF_PROCESS.giveBack(bytes);
        }
    }
}
