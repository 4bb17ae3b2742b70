package dev.lychgate.server.admin;

import static dev.lychgate.server.admin.AdminAnswer.now;
import static dev.lychgate.server.admin.AdminRoute.get;
import static io.netty.handler.codec.http.HttpResponseStatus.NOT_FOUND;
import static io.netty.handler.codec.http.HttpResponseStatus.SERVICE_UNAVAILABLE;

import dev.lychgate.gateway.Gateway;
import dev.lychgate.generation.Generation;
import dev.lychgate.server.json.Json;
import dev.lychgate.server.json.Shape;
import dev.lychgate.server.metrics.Losses;
import dev.lychgate.server.metrics.MetricsFormat;
import dev.lychgate.server.metrics.RecentAttempts;
import dev.lychgate.server.recorder.RecentExchanges;
import dev.lychgate.server.recorder.RecordedJson;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** All that is read, and changes nothing. */
final class ReadingRoutes {
    /** Whether the gateway takes traffic, in a word. */
    static final Shape<String> STATUS = new Shape<String>("Status", "Whether the gateway takes traffic.")
            .field("status", Json.words("up", "ready", "draining"), "In a word.", status -> status);

    private static final AdminAnswer UP = AdminAnswer.json(STATUS, "up");
    private static final AdminAnswer STREAM =
            new AdminAnswer(HttpResponseStatus.OK, "text/event-stream;charset=UTF-8", new byte[0]);
    private static final String ALL_METRICS =
            "All metrics, in Prometheus' text format, or in that of OpenMetrics if Accept prefers it.";

    private final AdminSource source;
    private final ScheduledExecutorService thread;
    private final SlowPages slow;
    private final LoopsPage loops;
    private final RecentAttempts attempts = new RecentAttempts();
    private final LogPage log;

    /** @param thread the admin listener's */
    ReadingRoutes(AdminSource source, ScheduledExecutorService thread, SlowPages slow, LogPage log) {
        this.log = log;
        this.source = source;
        this.thread = thread;
        this.slow = slow;
        this.loops = new LoopsPage(thread);
        thread.scheduleAtFixedRate(
                source.losses()::sample, Losses.EVERY_SECONDS, Losses.EVERY_SECONDS, TimeUnit.SECONDS);
    }

    List<AdminRoute> all() {
        return List.of(
                get("/health", "200 while the process lives.", Page.json(STATUS, given -> now(UP)))
                        .open(),
                get("/ready", "200 if the gateway takes traffic, else 503.", Page.of(STATUS, given -> ready()))
                        .open(),
                get("/version", slow(VersionPage.SHAPE, given -> new VersionPage.Running(source.gateway()))),
                get("/metrics", ALL_METRICS, Page.text(this::metrics, "text/plain", "application/openmetrics-text")),
                get("/traffic", Page.later(TrafficPage.SHAPE, thread, given -> traffic())),
                get("/exchanges", slow(ExchangesPage.SHAPE, given -> ExchangesPage.all(exchanges(), given)))
                        .taking(ExchangesPage.REASON, ExchangesPage.ROUTE, ExchangesPage.ERROR, ExchangesPage.LIMIT),
                get("/exchanges/one", slow(RecordedJson.SHAPE, given -> ExchangesPage.one(exchanges(), given)))
                        .failing(NOT_FOUND)
                        .taking(ExchangesPage.ID),
                get("/generation", ofGeneration(GenerationPage.SHAPE)),
                get("/generations", Page.of(GenerationActions.SHAPE, given -> generations())),
                get("/generations/diff", slow(DifferencePage.SHAPE, given -> DifferencePage.of(generations(), given)))
                        .failing(NOT_FOUND)
                        .taking(DifferencePage.FROM, DifferencePage.TO),
                get("/config", slow(ConfigPage.SHAPE, given -> ConfigPage.of(gateway()))),
                get("/routes", ofGeneration(RoutesPage.SHAPE)),
                get("/explain", slow(ExplainPage.SHAPE, given -> ExplainPage.of(generation(), given)))
                        .failing(NOT_FOUND)
                        .taking(ExplainPage.METHOD, ExplainPage.URL, ExplainPage.HEADER)
                        .taking(ExplainPage.CLIENT, ExplainPage.LISTENER),
                get("/listeners", Page.of(ListenersPage.SHAPE, given -> ListenersPage.of(gateway()))),
                get("/upstreams", Page.later(UpstreamsPage.SHAPE, thread, given -> upstreams(generation()))),
                get("/pools", Page.later(PoolsPage.SHAPE, thread, given -> source.poolCounters())),
                get("/breakers", ofGeneration(BreakersPage.SHAPE)),
                get(HystrixStream.PATH, HystrixStream.ABOUT, Page.text(given -> now(STREAM), "text/event-stream"))
                        .failing(SERVICE_UNAVAILABLE),
                get(
                        "/filters",
                        Page.of(FiltersPage.SHAPE, given -> FiltersPage.of(generation(), source.generations()))),
                get("/losses", Page.of(LossesPage.SHAPE, given -> source.losses())),
                get("/loops", Page.later(LoopsPage.SHAPE, thread, given -> loops.look(gateway()))),
                get("/log", slow(LogPage.SHAPE, log::read)).taking(LogPage.ONE),
                get("/threads", slow(ThreadsPage.SHAPE, given -> gateway())));
    }

    private <M> Page slow(Shape<M> shape, Page.Model<M> model) {
        return Page.slow(shape, slow, model);
    }

    private Page ofGeneration(Shape<Generation> shape) {
        return Page.of(shape, given -> generation());
    }

    private String ready() throws Rejection {
        String reason = source.notReady();
        if (reason != null) {
            throw new Rejection(AdminAnswer.unavailable(reason));
        }
        return "ready";
    }

    Generation generation() throws Rejection {
        return Rejection.ifAbsent(source.generation(), "starting");
    }

    Generations generations() throws Rejection {
        return Rejection.ifAbsent(source.generations(), "this gateway follows no files");
    }

    private Gateway gateway() throws Rejection {
        return Rejection.ifAbsent(source.gateway(), "starting");
    }

    private RecentExchanges exchanges() throws Rejection {
        return Rejection.ifAbsent(source.exchanges(), "starting");
    }

    private CompletableFuture<AdminAnswer> metrics(Parameters given) {
        MetricsFormat format = MetricsFormat.preferred(given.accept());
        return source.metrics(format, thread).thenApply(text -> AdminAnswer.metrics(format, text));
    }

    private CompletableFuture<TrafficPage.Shown> traffic() throws Rejection {
        Generation generation = generation();
        return Rejection.ifAbsent(source.traffic(), "starting")
                .look()
                .thenApply(traffic -> new TrafficPage.Shown(generation, traffic));
    }

    private CompletableFuture<UpstreamsPage.Shown> upstreams(Generation generation) {
        return source.poolCounters()
                .thenApplyAsync(
                        pools -> new UpstreamsPage.Shown(
                                generation, pools, source.nameStatuses(), attempts.look(generation.upstreams())),
                        thread);
    }
}
