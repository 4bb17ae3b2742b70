package dev.lychgate.server.admin;

import static dev.lychgate.server.admin.AdminAnswer.now;
import static dev.lychgate.server.admin.AdminRoute.Parameter.needed;
import static dev.lychgate.server.admin.AdminRoute.Parameter.optional;
import static dev.lychgate.server.admin.AdminRoute.get;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.lychgate.filters.groovy.IgnoredFile;
import dev.lychgate.gateway.Gateway;
import dev.lychgate.generation.Generation;
import dev.lychgate.server.admin.AdminRoute.Count;
import dev.lychgate.server.admin.AdminRoute.Parameter;
import dev.lychgate.server.metrics.MetricsFormat;
import dev.lychgate.server.metrics.RecentAttempts;
import dev.lychgate.server.metrics.RecentAttempts.Attempts;
import dev.lychgate.server.metrics.RecentTraffic;
import dev.lychgate.server.recorder.RecentExchanges;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Function;

/** All that is read, and changes nothing. */
final class ReadingRoutes {
    private static final byte[] NOTHING = {};

    private final AdminSource source;
    private final ScheduledExecutorService thread;
    private final SlowPages slow;
    private final LoopsPage loops;
    private final RecentAttempts attempts = new RecentAttempts();
    private final LogPage log;

    /** A page of one generation. */
    private interface OfGeneration {
        void write(JsonGenerator json, Generation generation) throws IOException;
    }

    /** @param thread the admin listener's */
    ReadingRoutes(AdminSource source, ScheduledExecutorService thread, SlowPages slow, LogPage log) {
        this.log = log;
        this.source = source;
        this.thread = thread;
        this.slow = slow;
        this.loops = new LoopsPage(thread);
    }

    List<AdminRoute> all() {
        return List.of(
                get("/health", "200 while the process lives", given -> now(status("up")))
                        .open(),
                get("/ready", "200 if the gateway takes traffic, else 503", given -> now(ready()))
                        .open(),
                get(
                        "/version",
                        "what runs here, on what, and since when",
                        given -> slow.make(() -> AdminAnswer.json(json -> VersionPage.write(json, source.gateway())))),
                get(
                        "/metrics",
                        "all metrics, in Prometheus' text format, or in that of OpenMetrics if Accept asks for it",
                        this::metrics),
                get("/traffic", "what the last ten seconds brought, by route", given -> of(this::traffic)),
                get(
                        "/exchanges",
                        "exchanges that were slow, failed, or are recorded in a trace, with their whole story",
                        given -> ofExchanges(recent -> slow.make(() -> ExchangesPage.all(recent, given))),
                        optional("reason", "failed, slow or sampled; all if it is missing"),
                        optional("route", "the id of their route; - for those that no route matched"),
                        optional(
                                "error", "the label of their error, or their status; none for those that did not fail"),
                        optional("limit", "how many, the latest first; 50 if it is missing, 1000 at most")),
                get(
                        "/exchanges/one",
                        "one of them",
                        given -> ofExchanges(recent -> slow.make(() -> ExchangesPage.one(recent, given))),
                        needed("id", "the id of its request, or of its trace")),
                get("/generation", "the generation in use", given -> ofGeneration(GenerationPage::write)),
                get(
                        "/generations",
                        "the generations that can be gone back to, and what was refused last",
                        given -> ofGenerations(
                                all -> now(AdminAnswer.json(json -> GenerationActions.write(json, all))))),
                get(
                        "/generations/diff",
                        "what is different between two of them, key by key and line by line",
                        given -> ofGenerations(all -> slow.make(() -> DifferencePage.of(all, given))),
                        needed("from", "the number of a generation that is kept"),
                        needed("to", "the number of another one")),
                get(
                        "/config",
                        "the configuration in use, with every default; secrets are not told",
                        given -> ofGateway(gateway -> slow.make(() -> ConfigPage.of(gateway)))),
                get("/routes", "the routes in use, with their filters", given -> ofGeneration(RoutesPage::write)),
                get(
                        "/explain",
                        "which route and which filters a request would meet, and why not the others",
                        given -> of(generation -> slow.make(() -> ExplainPage.of(generation, given))),
                        optional("method", "the method; GET if it is missing"),
                        needed("url", "the URL, or a path that begins with /"),
                        new Parameter("header", Count.ANY, "name:value of a header field"),
                        optional("client", "the IP address it comes from; the loopback if it is missing"),
                        optional("listener", "the listener it comes to; the first if it is missing")),
                get(
                        "/listeners",
                        "the listeners, their connections and certificates",
                        given -> ofGateway(
                                gateway -> now(AdminAnswer.json(json -> ListenersPage.write(json, gateway))))),
                get("/upstreams", "the upstreams in use, with their endpoints and pools", given -> of(this::upstreams)),
                get(
                        "/pools",
                        "what the pools of connections to each endpoint hold and have done",
                        given -> source.poolCounters()
                                .thenApplyAsync(
                                        pools -> AdminAnswer.json(json -> PoolsPage.write(json, pools)), thread)),
                get("/breakers", "the circuit breakers in use", given -> ofGeneration(BreakersPage::write)),
                get(
                        HystrixStream.PATH,
                        "what becomes of the attempts at each upstream, as the dashboard of Hystrix reads it: an endless"
                                + " stream of events",
                        given -> now(
                                new AdminAnswer(HttpResponseStatus.OK, "text/event-stream;charset=UTF-8", NOTHING))),
                get(
                        "/filters",
                        "the filters in use, with what they have done",
                        given -> ofGeneration((json, generation) -> FiltersPage.write(json, generation, ignored()))),
                get(
                        "/loops",
                        "the event loops: what waits for them, and what holds them",
                        given -> ofGateway(loops::look)),
                get(
                        "/log",
                        "the loggers that have levels of their own, and what they are",
                        given -> slow.make(() -> log.read(given)),
                        optional("logger", "the name of one, whether it has a level or not")),
                get(
                        "/threads",
                        "where the gateway's threads are: the stacks of event loops and of filters that block",
                        given -> ofGateway(gateway -> slow.make(() -> ThreadsPage.of(gateway)))),
                get(
                        "/openapi.json",
                        "all of this for programs: an OpenAPI 3.1 file",
                        given -> slow.make(OpenApi::file)));
    }

    private static AdminAnswer status(String status) {
        return AdminAnswer.json(json -> {
            json.writeStartObject();
            json.writeStringField("status", status);
            json.writeEndObject();
        });
    }

    private AdminAnswer ready() {
        String reason = source.notReady();
        return reason == null ? status("ready") : AdminAnswer.unavailable(reason);
    }

    private CompletableFuture<AdminAnswer> of(Function<Generation, CompletableFuture<AdminAnswer>> page) {
        Generation generation = source.generation();
        return generation == null ? now(AdminAnswer.unavailable("starting")) : page.apply(generation);
    }

    private CompletableFuture<AdminAnswer> ofGeneration(OfGeneration page) {
        return of(generation -> now(AdminAnswer.json(json -> page.write(json, generation))));
    }

    private CompletableFuture<AdminAnswer> ofGateway(Function<Gateway, CompletableFuture<AdminAnswer>> page) {
        Gateway gateway = source.gateway();
        return gateway == null ? now(AdminAnswer.unavailable("starting")) : page.apply(gateway);
    }

    private CompletableFuture<AdminAnswer> metrics(Parameters given) {
        MetricsFormat format = MetricsFormat.preferred(given.accept());
        return source.metrics(format, thread).thenApply(text -> AdminAnswer.metrics(format, text));
    }

    private CompletableFuture<AdminAnswer> traffic(Generation generation) {
        RecentTraffic traffic = source.traffic();
        return traffic == null
                ? now(AdminAnswer.unavailable("starting"))
                : traffic.look()
                        .thenApplyAsync(
                                look -> AdminAnswer.json(json -> TrafficPage.write(json, generation, look)), thread);
    }

    private CompletableFuture<AdminAnswer> ofExchanges(Function<RecentExchanges, CompletableFuture<AdminAnswer>> page) {
        RecentExchanges recent = source.exchanges();
        return recent == null ? now(AdminAnswer.unavailable("starting")) : page.apply(recent);
    }

    private CompletableFuture<AdminAnswer> ofGenerations(Function<Generations, CompletableFuture<AdminAnswer>> page) {
        Generations generations = source.generations();
        return generations == null
                ? now(AdminAnswer.unavailable("this gateway follows no files"))
                : page.apply(generations);
    }

    private List<IgnoredFile> ignored() {
        Generations generations = source.generations();
        return generations == null ? List.of() : generations.ignored();
    }

    private CompletableFuture<AdminAnswer> upstreams(Generation generation) {
        return source.poolCounters()
                .thenApplyAsync(
                        pools -> {
                            Attempts recent = attempts.look(generation.upstreams());
                            return AdminAnswer.json(json ->
                                    UpstreamsPage.write(json, generation, pools, source.nameStatuses(), recent));
                        },
                        thread);
    }
}
