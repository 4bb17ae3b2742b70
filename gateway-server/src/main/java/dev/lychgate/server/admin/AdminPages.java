package dev.lychgate.server.admin;

import static dev.lychgate.server.admin.AdminResponse.now;
import static dev.lychgate.server.admin.AdminRoute.json;
import static io.netty.handler.codec.http.HttpResponseStatus.CONFLICT;
import static io.netty.handler.codec.http.HttpResponseStatus.NOT_FOUND;
import static io.netty.handler.codec.http.HttpResponseStatus.SERVICE_UNAVAILABLE;
import static io.netty.handler.codec.http.HttpResponseStatus.UNPROCESSABLE_ENTITY;

import dev.lychgate.gateway.Gateway;
import dev.lychgate.generation.Generation;
import dev.lychgate.server.admin.AdminRoute.Answering;
import dev.lychgate.server.admin.AdminRoute.Method;
import dev.lychgate.server.history.Author;
import dev.lychgate.server.history.ChangeHistory;
import dev.lychgate.server.history.Entry;
import dev.lychgate.server.json.Json;
import dev.lychgate.server.json.JsonType;
import dev.lychgate.server.json.Shape;
import dev.lychgate.server.metrics.Losses;
import dev.lychgate.server.metrics.MetricsFormat;
import dev.lychgate.server.metrics.RecentAttempts;
import dev.lychgate.server.recorder.RecordedJson;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The table of all resources of the admin API. Also limits the time for computing a response. Not thread-safe; only the
 * admin listener's thread uses it.
 */
final class AdminPages implements AutoCloseable {
    private static final long LONGEST_WAIT_SECONDS = 5;

    private static final JsonType<Map<String, ? extends String>> INDEX = Json.map(Json.TEXT);
    private static final AdminResponse STREAM =
            new AdminResponse(HttpResponseStatus.OK, "text/event-stream;charset=UTF-8", new byte[0]);
    private static final String ALL_METRICS =
            "All metrics, in the text format of Prometheus, or in OpenMetrics if the Accept header prefers it.";

    private final AdminSource source;
    private final ScheduledExecutorService thread;
    private final HystrixStream hystrix;
    private final SlowPages slow = new SlowPages();
    private final Dashboard dashboard = new Dashboard();
    private final LogPage log = new LogPage();
    private final LoopsPage loops;
    private final RecentAttempts attempts = new RecentAttempts();
    private final List<AdminRoute> routes;

    /** @param thread the admin listener's thread */
    AdminPages(AdminSource source, ScheduledExecutorService thread) {
        this.source = source;
        this.thread = thread;
        this.hystrix = new HystrixStream(source);
        this.loops = new LoopsPage(thread);
        thread.scheduleAtFixedRate(
                source.losses()::sample, Losses.EVERY_SECONDS, Losses.EVERY_SECONDS, TimeUnit.SECONDS);
        this.routes = Stream.of(
                        reading(),
                        changing(),
                        MirrorsPage.routes(source),
                        RateLimitsPage.routes(this::generation),
                        List.of(slow("/openapi.json", Json.TREE, this::openApi)
                                .about("The description of this API in OpenAPI 3.1.")))
                .flatMap(List::stream)
                .toList();
    }

    /** Supplies the value of a JSON page. */
    private interface Model<M> {
        M of(Parameters given) throws Rejection;
    }

    /** Returns a page that is computed immediately, on the admin listener's thread. */
    private static <M> AdminRoute page(String path, JsonType<M> type, Model<M> model) {
        return json(path, type, given -> now(AdminResponse.json(type, model.of(given))))
                .failing(SERVICE_UNAVAILABLE);
    }

    /** Returns a page with a model that is computed asynchronously. */
    private <M> AdminRoute later(String path, JsonType<M> type, Model<CompletableFuture<M>> model) {
        return json(path, type, given -> model.of(given).thenApplyAsync(made -> AdminResponse.json(type, made), thread))
                .failing(SERVICE_UNAVAILABLE);
    }

    /** Returns a page that is computed on a separate thread, so it may block. */
    private <M> AdminRoute slow(String path, JsonType<M> type, Model<M> model) {
        return json(path, type, given -> slow.make(() -> AdminResponse.json(type, model.of(given))))
                .failing(SERVICE_UNAVAILABLE);
    }

    private AdminRoute ofGeneration(String path, Shape<Generation> shape) {
        return page(path, shape, given -> generation());
    }

    private static AdminRoute text(String path, String about, Answering answering, String... mediaTypes) {
        Map<String, JsonType<?>> content = new LinkedHashMap<>();
        Stream.of(mediaTypes).forEach(type -> content.put(type, Json.TEXT));
        return AdminRoute.get(path, about, content, answering);
    }

    private List<AdminRoute> reading() {
        return List.of(
                json("/", INDEX, given -> now(AdminResponse.json(INDEX, index())))
                        .about("The list of all pages and operations."),
                text(Dashboard.PATH, "A dashboard for browsers.", given -> now(dashboard.page()), "text/html")
                        .open(),
                json("/health", StatusPages.SHAPE, given -> now(AdminResponse.json(StatusPages.SHAPE, "up")))
                        .about("Status 200 while the process runs.")
                        .open(),
                page("/ready", StatusPages.SHAPE, given -> StatusPages.ready(source))
                        .about("Status 200 if the gateway accepts traffic, else 503.")
                        .open(),
                slow("/version", VersionPage.SHAPE, given -> new VersionPage.Running(source.gateway())),
                json("/operator", OperatorPage.SHAPE, OperatorPage::of),
                text("/metrics", ALL_METRICS, this::metrics, "text/plain", "application/openmetrics-text"),
                later("/traffic", TrafficPage.SHAPE, given -> traffic()),
                slow("/exchanges", ExchangesPage.SHAPE, given -> ExchangesPage.all(source.exchanges(), given))
                        .taking(ExchangesPage.REASON, ExchangesPage.ROUTE, ExchangesPage.ERROR, ExchangesPage.LIMIT)
                        .recordings(),
                slow("/exchanges/one", RecordedJson.SHAPE, given -> ExchangesPage.one(source.exchanges(), given))
                        .failing(NOT_FOUND)
                        .taking(ExchangesPage.ID)
                        .recordings(),
                json(
                                "/exchanges/recording",
                                Json.TREE,
                                given -> slow.make(() -> ExchangesPage.recording(source.recording(), given)))
                        .about("One complete exchange from the recording, for a replay elsewhere.")
                        .failing(NOT_FOUND, SERVICE_UNAVAILABLE)
                        .taking(ExchangesPage.ID)
                        .recordings(),
                ofGeneration("/generation", GenerationPages.RUNNING),
                page("/generations", GenerationPages.KEPT, given -> generations()),
                json(
                                "/generations/diff",
                                DifferencePage.SHAPE,
                                given -> DifferencePage.answer(generations(), proposals(), given, slow))
                        .failing(NOT_FOUND, UNPROCESSABLE_ENTITY, SERVICE_UNAVAILABLE)
                        .taking(DifferencePage.FROM, DifferencePage.TO),
                slow("/history", Entry.PAGE, given -> HistoryPage.of(generations(), given))
                        .taking(HistoryPage.BEFORE, HistoryPage.LIMIT, HistoryPage.ACTION, HistoryPage.OPERATOR),
                page(
                        "/fleet",
                        FleetPage.SHAPE,
                        given -> FleetPage.source(generations()).node()),
                slow("/fleet/nodes", FleetPage.NODES, given -> FleetPage.nodes(generations())),
                page("/rollout", RolloutPage.SHAPE, given -> generations().rollouts()),
                page(
                                "/rollout/examples",
                                ShadowPage.EXAMPLES,
                                given -> generations().rollouts().status())
                        .recordings(),
                slow("/config", ConfigPage.SHAPE, given -> ConfigPage.of(gateway())),
                ofGeneration("/routes", RoutesPage.SHAPE),
                slow("/explain", ExplainPage.SHAPE, given -> ExplainPage.of(generation(), given))
                        .failing(NOT_FOUND)
                        .taking(ExplainPage.METHOD, ExplainPage.URL, ExplainPage.HEADER)
                        .taking(ExplainPage.CLIENT, ExplainPage.LISTENER),
                page("/listeners", ListenersPage.SHAPE, given -> ListenersPage.of(gateway())),
                later("/upstreams", UpstreamsPage.SHAPE, given -> upstreams(generation())),
                later("/pools", PoolsPage.SHAPE, given -> source.poolCounters()),
                ofGeneration("/breakers", BreakersPage.SHAPE),
                ofGeneration("/overload", OverloadPage.SHAPE),
                text(HystrixStream.PATH, HystrixStream.ABOUT, given -> now(STREAM), "text/event-stream")
                        .failing(SERVICE_UNAVAILABLE),
                page("/filters", FiltersPage.SHAPE, given -> FiltersPage.of(generation(), source.generations())),
                page("/faults", FaultsPage.SHAPE, given -> FaultsPage.of(generation())),
                ofGeneration("/clients", ClientsPage.SHAPE),
                ofGeneration("/bans", ClientsPage.BANS).recordings(),
                ofGeneration("/cache", CachePage.SHAPE),
                slow("/cache/entries", CachePage.ENTRIES, given -> generation()).recordings(),
                page("/losses", LossesPage.SHAPE, given -> source.losses()),
                later("/loops", LoopsPage.SHAPE, given -> loops.look(gateway())),
                slow("/log", LogPage.SHAPE, log::read).taking(LogPage.ONE),
                slow("/threads", ThreadsPage.SHAPE, given -> gateway()));
    }

    private List<AdminRoute> changing() {
        return List.of(
                json("/reload", DryRunPage.SHAPE, given -> DryRunPage.reload(generations(), proposals(), given))
                        .changing("Rereads the files and builds a generation from them.")
                        .failing(UNPROCESSABLE_ENTITY, SERVICE_UNAVAILABLE)
                        .taking(RolloutPage.STEPS, RolloutPage.HOLD, DryRunPage.DRY_RUN),
                json("/rollback", GenerationPages.KEPT, given -> GenerationPages.rollback(generations(), given))
                        .changing("Rolls back to an earlier generation, which stays in force until a reload.")
                        .failing(NOT_FOUND, UNPROCESSABLE_ENTITY, SERVICE_UNAVAILABLE)
                        .taking(GenerationPages.GENERATION, GenerationPages.ENTRY),
                json(
                                "/rollout",
                                RolloutPage.SHAPE,
                                given -> RolloutPage.change(generations().rollouts(), given))
                        .changing("Pauses, resumes or aborts the rollout of the candidate, promotes the candidate, "
                                + "or sets its share.")
                        .failing(CONFLICT, SERVICE_UNAVAILABLE)
                        .taking(RolloutPage.ACTION, RolloutPage.SHARE),
                page("/upstreams/endpoint", UpstreamsPage.ENDPOINT, given -> UpstreamsPage.change(generation(), given))
                        .changing("Changes the state or the weight of an endpoint until the process ends.")
                        .failing(NOT_FOUND)
                        .taking(UpstreamsPage.ITS_UPSTREAM, UpstreamsPage.ITS_ADDRESS)
                        .taking(UpstreamsPage.STATE, UpstreamsPage.WEIGHT),
                page("/breakers", BreakersPage.BREAKER, given -> BreakersPage.change(generation(), given))
                        .changing(
                                "Forces a circuit breaker open or closed until the process ends, or makes it automatic"
                                        + " again.")
                        .failing(NOT_FOUND)
                        .taking(BreakersPage.UPSTREAM, BreakersPage.ENDPOINT, BreakersPage.STATE),
                page("/filters", FiltersPage.SHAPE, given -> FiltersPage.change(generation(), given))
                        .changing("Disables a filter until the process ends, or enables a disabled filter.")
                        .failing(NOT_FOUND, CONFLICT)
                        .taking(
                                FiltersPage.PHASE,
                                FiltersPage.NAME,
                                FiltersPage.STATE,
                                FiltersPage.FORCE,
                                FiltersPage.ROUTE),
                page("/faults", FaultsPage.SHAPE, given -> FaultsPage.inject(generation(), given))
                        .changing("Injects a fault for a rehearsal. The fault ends by itself.")
                        .failing(NOT_FOUND, CONFLICT)
                        .taking(FaultsPage.NAME, FaultsPage.ROUTE, FaultsPage.HEADER)
                        .taking(FaultsPage.SHARE, FaultsPage.BY, FaultsPage.FOR)
                        .taking(FaultsPage.DELAY, FaultsPage.ABORT, FaultsPage.GRPC_STATUS)
                        .taking(FaultsPage.RESET, FaultsPage.BANDWIDTH),
                page("/faults/stop", FaultsPage.SHAPE, given -> FaultsPage.stop(generation(), given))
                        .changing("Ends a fault before it expires.")
                        .failing(NOT_FOUND, CONFLICT)
                        .taking(FaultsPage.NAME, FaultsPage.ROUTE),
                page("/bans", ClientsPage.BAN, given -> ClientsPage.ban(generation(), given))
                        .changing("Bans a client for a limited time.")
                        .failing(CONFLICT)
                        .taking(ClientsPage.ADDRESS, ClientsPage.FOR, ClientsPage.REASON),
                page("/bans/end", ClientsPage.BAN, given -> ClientsPage.end(generation(), given))
                        .changing("Ends the ban of a client before it expires.")
                        .failing(NOT_FOUND)
                        .taking(ClientsPage.ADDRESS),
                slow("/cache/purge", CachePage.PURGE, given -> CachePage.purge(generation(), given))
                        .changing("Removes stored responses from the cache.")
                        .taking(CachePage.BY, CachePage.VALUE),
                slow("/log", LogPage.SHAPE, log::change)
                        .changing("Changes the level of a logger, until the process ends or for a limited time.")
                        .taking(LogPage.NAME, LogPage.LEVEL, LogPage.FOR),
                slow("/upgrade", UpgradePage.SHAPE, given -> UpgradePage.run(source.upgrade()))
                        .changing("Starts a new process, which takes over the listening sockets; the old one drains.")
                        .failing(CONFLICT),
                json(
                                "/drain",
                                StatusPages.SHAPE,
                                given -> now(AdminResponse.json(StatusPages.SHAPE, StatusPages.drain(source, given))))
                        .changing("Makes the gateway not ready, or ends the process when all exchanges have ended.")
                        .failing(CONFLICT)
                        .taking(StatusPages.READY, StatusPages.EXIT));
    }

    private Map<String, String> index() {
        Map<String, String> index = new LinkedHashMap<>();
        routes.forEach(route -> index.put(route.label(), route.about()));
        return index;
    }

    private Map<String, Object> openApi(Parameters given) {
        return OpenApi.document(routes);
    }

    /**
     * Returns the reason why an operator must not use a route of this table; null if the operator is permitted to use
     * it.
     */
    @Nullable
    String refusal(Operator operator, AdminRoute route, @Nullable String query) {
        return Permissions.refusal(operator, route, query, source);
    }

    private Generation generation() throws Rejection {
        return Rejection.ifAbsent(source.generation(), "starting");
    }

    private Generations generations() throws Rejection {
        return Rejection.ifAbsent(source.generations(), "this gateway does not use configuration files");
    }

    private Proposals proposals() throws Rejection {
        return Rejection.ifAbsent(source.proposals(), "this gateway does not use configuration files");
    }

    private Gateway gateway() throws Rejection {
        return Rejection.ifAbsent(source.gateway(), "starting");
    }

    private CompletableFuture<AdminResponse> metrics(Parameters given) {
        MetricsFormat format = MetricsFormat.preferred(given.accept());
        return source.metrics(format, thread).thenApply(text -> AdminResponse.metrics(format, text));
    }

    private CompletableFuture<TrafficPage.Shown> traffic() throws Rejection {
        Generation generation = generation();
        return source.traffic().look().thenApply(traffic -> new TrafficPage.Shown(generation, traffic));
    }

    private CompletableFuture<UpstreamsPage.Shown> upstreams(Generation generation) {
        return source.poolCounters()
                .thenApplyAsync(
                        pools -> new UpstreamsPage.Shown(
                                generation,
                                pools,
                                source.nameStatuses(),
                                source.sourceStatuses(),
                                attempts.look(generation.upstreams())),
                        thread);
    }

    List<AdminRoute> routes() {
        return routes;
    }

    /** Returns the route for a method and a path; null if no route matches. */
    @Nullable
    AdminRoute find(Method method, String path) {
        return routes.stream()
                .filter(route -> route.method() == method && route.path().equals(path))
                .findFirst()
                .orElse(null);
    }

    /**
     * Returns the methods that a path supports, as a value for the {@code Allow} header. For an unknown path, these are
     * the safe methods.
     */
    String allowed(String path) {
        String methods = routes.stream()
                .filter(route -> route.path().equals(path))
                .map(route -> route.changes() ? "POST" : "GET, HEAD")
                .distinct()
                .collect(Collectors.joining(", "));
        return methods.isEmpty() ? "GET, HEAD" : methods;
    }

    /** Returns the history of changes; null if there is none. */
    @Nullable
    ChangeHistory history() {
        Generations generations = source.generations();
        return generations == null ? null : generations.changes();
    }

    /** Returns the static files of the dashboard. The scripts among them request the pages of the admin API. */
    Dashboard dashboard() {
        return dashboard;
    }

    /** Returns the endless stream of events for the Hystrix dashboard. */
    HystrixStream hystrix() {
        return hystrix;
    }

    /**
     * Computes the response to a request. The returned future may complete on any thread.
     *
     * <ul>
     *   <li>If the request reads a page, the future completes when the page is computed. If this takes more than a few
     *       seconds, the future fails.
     *   <li>If the request changes state, the future completes when the change has taken effect or failed.
     * </ul>
     *
     * @param query the part after the question mark, or null
     * @param accept the {@code Accept} headers of the request, joined
     */
    CompletableFuture<AdminResponse> answer(
            AdminRoute route, @Nullable String query, String accept, Author author, Operator operator) {
        try {
            CompletableFuture<AdminResponse> answer =
                    route.answering().answer(new Parameters(route, query, accept, author, operator));
            return route.changes() ? answer : inTime(answer);
        } catch (Rejection e) {
            return now(e.answer());
        }
    }

    /**
     * Makes a future fail after a time limit. Does not use {@code orTimeout}, because its timer takes a lock, and this
     * method is called on an event loop.
     */
    private CompletableFuture<AdminResponse> inTime(CompletableFuture<AdminResponse> answer) {
        if (answer.isDone()) {
            return answer;
        }
        Future<?> patience = thread.schedule(
                () -> answer.completeExceptionally(new TimeoutException("the page exceeded its time limit")),
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
