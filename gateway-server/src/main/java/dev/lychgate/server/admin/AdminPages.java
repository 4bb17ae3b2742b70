package dev.lychgate.server.admin;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Which route is answered with what, and within which time. Used on the admin listener's thread. */
final class AdminPages implements AutoCloseable {
    private static final long LONGEST_WAIT_SECONDS = 5;

    private final HystrixStream hystrix;
    private final SlowPages slow = new SlowPages();
    private final Dashboard dashboard = new Dashboard();
    private final ScheduledExecutorService thread;
    private final AdminRoutes routes;

    /** @param thread the admin listener's thread */
    AdminPages(AdminSource source, ScheduledExecutorService thread) {
        this.thread = thread;
        this.hystrix = new HystrixStream(source);
        LogPage log = new LogPage();
        Page page = Page.text(given -> AdminAnswer.now(dashboard.page()), "text/html");
        ReadingRoutes reading = new ReadingRoutes(source, thread, slow, log);
        List<AdminRoute> others =
                new ArrayList<>(List.of(AdminRoute.get(Dashboard.PATH, "A page for browsers, of all of this.", page)
                        .open()));
        others.addAll(reading.all());
        others.addAll(new ChangingRoutes(source, reading, slow, log).all());
        this.routes = new AdminRoutes(others, slow);
    }

    /** The table of what can be asked. */
    AdminRoutes routes() {
        return routes;
    }

    /** The files that a browser loads before it asks for any of these. */
    Dashboard dashboard() {
        return dashboard;
    }

    /** The endless one of the pages. */
    HystrixStream hystrix() {
        return hystrix;
    }

    /**
     * The answer to a request; completes at once or later, on any thread. What is read is answered within a few seconds, by
     * an exception if need be; what is done is answered when it has been done.
     *
     * @param query what stands behind the question mark, or null
     * @param accept the {@code Accept} fields of the request, joined
     */
    CompletableFuture<AdminAnswer> answer(AdminRoute route, @Nullable String query, String accept) {
        try {
            CompletableFuture<AdminAnswer> answer =
                    route.page().answering().answer(new Parameters(route, query, accept));
            return route.changes() ? answer : inTime(answer);
        } catch (Rejection e) {
            return AdminAnswer.now(e.answer());
        }
    }

    /** Not by orTimeout: its timer is one lock for the whole process, and event loops answer here. */
    private CompletableFuture<AdminAnswer> inTime(CompletableFuture<AdminAnswer> answer) {
        if (answer.isDone()) {
            return answer;
        }
        Future<?> patience = thread.schedule(
                () -> answer.completeExceptionally(new TimeoutException("it takes too long")),
                LONGEST_WAIT_SECONDS,
                TimeUnit.SECONDS);
        return answer.whenCompleteAsync((done, failure) -> patience.cancel(false), thread);
    }

    @Override
    public void close() {
        hystrix.close();
        slow.close();
    }
}
