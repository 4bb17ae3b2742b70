package dev.lychgate.server.shadow;

import dev.lychgate.filter.FilterExchange;
import dev.lychgate.filter.FilterOutcome;
import dev.lychgate.filter.FilterRequest;
import dev.lychgate.server.shadow.Decisions.Step;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * Records which filters of one generation run for each copy of a request. Filters run one after the other, but on
 * several threads. An abandoned filter may end during the run for a later copy, so each call is recorded in the run in
 * which it began.
 */
final class RunRecorder {
    /** Whether the current thread runs a filter for a copy, so that its log lines are dropped. */
    private static final ThreadLocal<Boolean> HERE = new ThreadLocal<>();

    private volatile Run run = new Run();

    /** The filter runs for one copy. */
    static final class Run {
        private final List<Step> steps = new ArrayList<>();
        private @Nullable Call open;
        private boolean over;

        /**
         * Ends the recording and returns the steps; later steps are ignored.
         *
         * @param outcome the outcome to record for a filter that has not ended; null to omit it
         */
        synchronized List<Step> end(@Nullable String outcome) {
            over = true;
            if (open != null && outcome != null) {
                steps.add(new Step(open.filter, open.global, outcome, Map.of()));
            }
            return List.copyOf(steps);
        }

        /** Returns whether a filter waits for the body and has not run yet. */
        synchronized boolean awaitsBody() {
            return open != null && open.awaitsBody;
        }

        /** Returns the filter that runs or waits; null if there is none. */
        synchronized @Nullable String filter() {
            return open == null ? null : open.filter;
        }

        private synchronized void begin(Call call) {
            open = call;
        }

        private synchronized void ended(Call call, @Nullable Step step) {
            if (!over && open == call) {
                open = null;
                if (step != null) {
                    steps.add(step);
                }
            }
        }
    }

    /** One call of a filter. */
    static final class Call {
        private final Run run;
        private final String filter;
        private final boolean global;
        private final Map<String, String> before;
        private final boolean awaitsBody;

        private Call(Run run, String filter, boolean global, Map<String, String> before, boolean awaitsBody) {
            this.run = run;
            this.filter = filter;
            this.global = global;
            this.before = before;
            this.awaitsBody = awaitsBody;
        }

        void end(FilterExchange exchange, @Nullable FilterOutcome outcome) {
            Map<String, String> after;
            try {
                after = snapshot(exchange);
            } catch (IllegalStateException e) {
                // The exchange was abandoned while the filter ran.
                run.ended(this, null);
                return;
            }
            Map<String, String> changes = new TreeMap<>();
            after.forEach((name, value) -> {
                if (!value.equals(before.get(name))) {
                    changes.put(name, value);
                }
            });
            before.keySet().forEach(name -> {
                if (!after.containsKey(name)) {
                    changes.put(name, "none");
                }
            });
            run.ended(this, new Step(filter, global, words(outcome), changes));
        }

        void fail(Throwable failure) {
            run.ended(
                    this,
                    new Step(filter, global, "failed: " + failure.getClass().getName(), Map.of()));
        }
    }

    /** Begins the run for another copy. */
    Run next() {
        Run next = new Run();
        run = next;
        return next;
    }

    Run current() {
        return run;
    }

    /** Records that a filter begins to run. */
    Call begin(String filter, boolean global, FilterExchange exchange) {
        Call call = new Call(run, filter, global, snapshot(exchange), false);
        call.run.begin(call);
        return call;
    }

    /** Records that a filter needs the body of a copy. */
    void awaitBody(String filter, boolean global) {
        Run current = run;
        current.begin(new Call(current, filter, global, Map.of(), true));
    }

    private static String words(@Nullable FilterOutcome outcome) {
        if (outcome == null) {
            return "returned null";
        }
        if (outcome instanceof FilterOutcome.Respond answer) {
            return "respond " + answer.status();
        }
        return outcome instanceof FilterOutcome.Fail failure
                ? "fail " + failure.error().kind().label()
                : Step.PROCEED;
    }

    private static Map<String, String> snapshot(FilterExchange exchange) {
        FilterRequest request = exchange.getRequest();
        Map<String, String> seen = new TreeMap<>();
        seen.put(":method", request.getMethod());
        seen.put(":path", request.getPath());
        seen.put(":query", String.valueOf(request.getQuery()));
        seen.put(":host", request.getHost());
        seen.put(":endpoint-filter", String.valueOf(exchange.getEndpointFilter()));
        request.getHeaders()
                .forEach((name, value) ->
                        seen.merge(name.toLowerCase(Locale.ROOT), value, (first, further) -> first + ", " + further));
        return seen;
    }

    // ---- log lines

    /** Calls a filter and drops its log lines. */
    static <T> T silently(Callable<T> call) throws Exception {
        Boolean outer = HERE.get();
        HERE.set(true);
        try {
            return call.call();
        } finally {
            if (outer == null) {
                HERE.remove();
            }
        }
    }

    /** Returns whether the current thread processes a copy, or runs a filter for a copy. */
    static boolean isHere() {
        return Thread.currentThread() instanceof ShadowThread || HERE.get() != null;
    }
}
