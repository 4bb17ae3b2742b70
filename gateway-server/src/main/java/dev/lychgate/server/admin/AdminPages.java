package dev.lychgate.server.admin;

import dev.lychgate.generation.Generation;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Which path is answered with what. Used on the admin listener's thread. */
final class AdminPages {
    private static final long LONGEST_WAIT_SECONDS = 5;
    private static final String RELOAD = "/reload";
    private static final String ENDPOINT = "/upstreams/endpoint";
    private static final Set<String> ACTIONS = Set.of(RELOAD, "/rollback", ENDPOINT);

    private static final byte[] NOTHING = {};

    private final AdminSource source;
    private final HystrixStream hystrix;
    private final ScheduledExecutorService thread;
    private final Map<String, Page> pages = new LinkedHashMap<>();

    private interface Content {
        CompletableFuture<AdminAnswer> answer();
    }

    private record Page(String about, Content content) {}

    /** @param thread the admin listener's thread */
    AdminPages(AdminSource source, ScheduledExecutorService thread) {
        this.source = source;
        this.thread = thread;
        this.hystrix = new HystrixStream(source);
        pages.put("/", new Page("this list", () -> done(index())));
        pages.put("/health", new Page("200 while the process lives", () -> done(status("up"))));
        pages.put("/ready", new Page("200 if the gateway takes traffic, else 503", () -> done(ready())));
        pages.put("/metrics", new Page("all metrics, in Prometheus' text format", this::metrics));
        pages.put(
                "/generation",
                new Page(
                        "the generation in use",
                        () -> ofGeneration(
                                generation -> done(AdminAnswer.json(json -> GenerationPage.write(json, generation))))));
        pages.put(
                "/generations",
                new Page(
                        "the generations that can be gone back to, and what was refused last; POST /reload reads the files"
                                + " anew, POST /rollback?generation=N goes back",
                        this::generations));
        pages.put(
                "/routes",
                new Page(
                        "the routes in use, with their filters",
                        () -> ofGeneration(
                                generation -> done(AdminAnswer.json(json -> RoutesPage.write(json, generation))))));
        pages.put(
                "/upstreams",
                new Page(
                        "the upstreams in use, with their pools; POST /upstreams/endpoint?upstream=U&endpoint=HOST:PORT with"
                                + " state=enabled|draining|disabled or weight=N changes an endpoint",
                        () -> ofGeneration(this::upstreams)));
        pages.put(
                HystrixStream.PATH,
                new Page(
                        "what becomes of the attempts at each upstream, as the dashboard of Hystrix reads it: an endless"
                                + " stream of events",
                        () -> done(
                                new AdminAnswer(HttpResponseStatus.OK, "text/event-stream;charset=UTF-8", NOTHING))));
        pages.put(
                "/filters",
                new Page(
                        "the filters in use, with what they have done",
                        () -> ofGeneration(
                                generation -> done(AdminAnswer.json(json -> FiltersPage.write(json, generation))))));
    }

    /** Whether something can be done by a POST of {@code target}. */
    static boolean takesPost(String target) {
        int query = target.indexOf('?');
        return ACTIONS.contains(query < 0 ? target : target.substring(0, query));
    }

    /**
     * The answer to a POST: {@code /reload}, {@code /rollback} with {@code generation} in the query, and {@code
     * /upstreams/endpoint} with what {@link EndpointActions} wants there. Completes when it has been done.
     *
     * @param query what stands behind the question mark, or null
     * @param by who asks, for the log
     */
    CompletableFuture<AdminAnswer> post(String path, @Nullable String query, String by) {
        if (path.equals(ENDPOINT)) {
            return ofGeneration(generation -> done(EndpointActions.change(generation, query, by)));
        }
        Generations generations = source.generations();
        if (generations == null) {
            return done(unavailable("this gateway follows no files"));
        }
        return path.equals(RELOAD)
                ? GenerationActions.reload(generations)
                : GenerationActions.rollback(generations, query);
    }

    /** The endless one of the pages. */
    HystrixStream hystrix() {
        return hystrix;
    }

    /** The answer to a GET of {@code path}; completes at once or on the thread. */
    CompletableFuture<AdminAnswer> get(String path) {
        Page page = pages.get(path);
        return page == null
                ? done(AdminAnswer.problem(HttpResponseStatus.NOT_FOUND, "not-found", "there is no such page; see /"))
                : inTime(page.content().answer());
    }

    /** Not by orTimeout: its timer is one lock for the whole process, and event loops answer here. */
    private CompletableFuture<AdminAnswer> inTime(CompletableFuture<AdminAnswer> answer) {
        if (answer.isDone()) {
            return answer;
        }
        Future<?> patience = thread.schedule(
                () -> answer.completeExceptionally(new TimeoutException("an event loop does not answer")),
                LONGEST_WAIT_SECONDS,
                TimeUnit.SECONDS);
        return answer.whenCompleteAsync((done, failure) -> patience.cancel(false), thread);
    }

    private AdminAnswer index() {
        return AdminAnswer.json(json -> {
            json.writeStartObject();
            for (Map.Entry<String, Page> page : pages.entrySet()) {
                json.writeStringField(page.getKey(), page.getValue().about());
            }
            json.writeEndObject();
        });
    }

    private static AdminAnswer status(String status) {
        return AdminAnswer.json(json -> {
            json.writeStartObject();
            json.writeStringField("status", status);
            json.writeEndObject();
        });
    }

    private AdminAnswer ready() {
        @Nullable String reason = source.notReady();
        return reason == null ? status("ready") : unavailable(reason);
    }

    private CompletableFuture<AdminAnswer> metrics() {
        return source.metrics(thread).thenApply(AdminAnswer::prometheus);
    }

    private CompletableFuture<AdminAnswer> ofGeneration(Function<Generation, CompletableFuture<AdminAnswer>> page) {
        Generation generation = source.generation();
        return generation == null ? done(unavailable("starting")) : page.apply(generation);
    }

    private CompletableFuture<AdminAnswer> generations() {
        Generations generations = source.generations();
        return done(
                generations == null
                        ? unavailable("this gateway follows no files")
                        : AdminAnswer.json(json -> GenerationActions.write(json, generations)));
    }

    private CompletableFuture<AdminAnswer> upstreams(Generation generation) {
        return source.poolCounters()
                .thenApplyAsync(
                        pools -> AdminAnswer.json(
                                json -> UpstreamsPage.write(json, generation, pools, source.nameStatuses())),
                        thread);
    }

    private static AdminAnswer unavailable(String reason) {
        return AdminAnswer.problem(HttpResponseStatus.SERVICE_UNAVAILABLE, "not-ready", reason);
    }

    private static CompletableFuture<AdminAnswer> done(AdminAnswer answer) {
        return CompletableFuture.completedFuture(answer);
    }
}
