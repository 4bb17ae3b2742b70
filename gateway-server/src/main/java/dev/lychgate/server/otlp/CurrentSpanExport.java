package dev.lychgate.server.otlp;

import dev.lychgate.server.logwriter.LogOutput;
import dev.lychgate.server.recorder.RecordedExchange;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The export of spans, which can be started, replaced and ended while exchanges are recorded. Only the recorder's
 * thread uses an export, so this thread also replaces the export. {@link #use} may be called on any thread.
 */
public final class CurrentSpanExport implements LogOutput<RecordedExchange> {
    /** @param export null if no spans are sent */
    private record Next(@Nullable SpanExport export) {}

    private final Executor ending;
    private final AtomicReference<@Nullable Next> next = new AtomicReference<>();
    private @Nullable SpanExport current;

    /**
     * @param first the export at the start; null if no spans are sent
     * @param ending closes replaced exports, which may take some seconds
     */
    public CurrentSpanExport(@Nullable SpanExport first, Executor ending) {
        this.current = first;
        this.ending = ending;
    }

    /** Replaces the export for the exchanges that are recorded from now on; null sends no spans. */
    public void use(@Nullable SpanExport changed) {
        Next skipped = next.getAndSet(new Next(changed));
        if (skipped != null && skipped.export() != null) {
            ending.execute(skipped.export()::close);
        }
    }

    private @Nullable SpanExport current() {
        Next changed = next.getAndSet(null);
        if (changed != null) {
            SpanExport before = current;
            current = changed.export();
            if (before != null) {
                ending.execute(before::close);
            }
        }
        return current;
    }

    @Override
    public void write(RecordedExchange exchange) {
        SpanExport export = current();
        if (export != null) {
            export.write(exchange);
        }
    }

    @Override
    public void look() {
        SpanExport export = current();
        if (export != null) {
            export.look();
        }
    }

    @Override
    public void close() {
        SpanExport export = current();
        if (export != null) {
            export.close();
        }
    }
}
