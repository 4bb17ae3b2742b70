package dev.lychgate.filters.testing;

import dev.lychgate.filter.AsyncFilter;
import dev.lychgate.filter.BlockingFilter;
import dev.lychgate.filter.BodyNeed;
import dev.lychgate.filter.FailurePolicy;
import dev.lychgate.filter.Filter;
import dev.lychgate.filter.FilterExchange;
import dev.lychgate.filter.FilterOutcome;
import dev.lychgate.filter.FilterPhase;
import dev.lychgate.filter.SyncFilter;
import java.time.Duration;
import java.util.concurrent.CompletionStage;

/** A filter of a test, in the same form and with the same settings, that tells what it does. */
abstract sealed class RecordedFilter implements Filter {
    private final Filter filter;
    final Recorder recorder;

    private RecordedFilter(Filter filter, Recorder recorder) {
        this.filter = filter;
        this.recorder = recorder;
    }

    static Filter of(Filter filter, Recorder recorder) {
        boolean async = filter instanceof AsyncFilter;
        boolean blocking = filter instanceof BlockingFilter;
        if (filter instanceof SyncFilter sync && !async && !blocking) {
            return new Sync(sync, recorder);
        }
        if (async && !blocking && !(filter instanceof SyncFilter)) {
            return new Async((AsyncFilter) filter, recorder);
        }
        if (blocking && !async && !(filter instanceof SyncFilter)) {
            return new Blocking((BlockingFilter) filter, recorder);
        }
        // It has no form, or several, and is refused where all filters are.
        return filter;
    }

    private static final class Sync extends RecordedFilter implements SyncFilter {
        private final SyncFilter filter;

        Sync(SyncFilter filter, Recorder recorder) {
            super(filter, recorder);
            this.filter = filter;
        }

        @Override
        public FilterOutcome filter(FilterExchange exchange) throws Exception {
            return run(() -> filter.filter(exchange));
        }
    }

    private static final class Async extends RecordedFilter implements AsyncFilter {
        private final AsyncFilter filter;

        Async(AsyncFilter filter, Recorder recorder) {
            super(filter, recorder);
            this.filter = filter;
        }

        @Override
        public CompletionStage<? extends FilterOutcome> filter(FilterExchange exchange) throws Exception {
            CompletionStage<? extends FilterOutcome> stage = run(() -> filter.filter(exchange));
            if (stage != null) {
                stage.whenComplete((outcome, failure) -> {
                    if (failure != null) {
                        recorder.failed(name(), failure);
                    } else if (outcome == null) {
                        recorder.failed(name(), new NullPointerException("its stage completed with null"));
                    }
                });
            }
            return stage;
        }
    }

    private static final class Blocking extends RecordedFilter implements BlockingFilter {
        private final BlockingFilter filter;

        Blocking(BlockingFilter filter, Recorder recorder) {
            super(filter, recorder);
            this.filter = filter;
        }

        @Override
        public FilterOutcome filter(FilterExchange exchange) throws Exception {
            return run(() -> filter.filter(exchange));
        }
    }

    private interface Run<T> {
        T run() throws Exception;
    }

    <T> T run(Run<T> run) throws Exception {
        recorder.ran(name());
        T result;
        try {
            result = run.run();
        } catch (Exception | Error e) {
            recorder.failed(name(), e);
            throw e;
        }
        if (result == null) {
            recorder.failed(name(), new NullPointerException("it returned null"));
        }
        return result;
    }

    @Override
    public boolean applies(FilterExchange exchange) {
        recorder.asked(name());
        try {
            return filter.applies(exchange);
        } catch (RuntimeException | Error e) {
            recorder.failed(name(), e);
            throw e;
        }
    }

    @Override
    public String name() {
        return filter.name();
    }

    @Override
    public FilterPhase phase() {
        return filter.phase();
    }

    @Override
    public int order() {
        return filter.order();
    }

    @Override
    public Duration timeout() {
        return filter.timeout();
    }

    @Override
    public FailurePolicy onFailure() {
        return filter.onFailure();
    }

    @Override
    public BodyNeed body() {
        return filter.body();
    }

    @Override
    public Class<?> definedIn() {
        return filter.definedIn();
    }

    @Override
    public void selfCheck() throws Exception {
        filter.selfCheck();
    }
}
