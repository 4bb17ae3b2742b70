package dev.lychgate.server.admin;

import static dev.lychgate.server.admin.AdminAnswer.now;
import static dev.lychgate.server.admin.AdminRoute.Parameter.needed;
import static dev.lychgate.server.admin.AdminRoute.Parameter.optional;
import static dev.lychgate.server.admin.AdminRoute.post;

import dev.lychgate.generation.Generation;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** All that something may be another after. */
final class ChangingRoutes {
    private final AdminSource source;
    private final SlowPages slow;
    private final LogPage log;

    ChangingRoutes(AdminSource source, SlowPages slow, LogPage log) {
        this.source = source;
        this.slow = slow;
        this.log = log;
    }

    List<AdminRoute> all() {
        return List.of(
                post(
                        "/reload",
                        "reads the files anew, and makes a generation of them",
                        given -> ofGenerations(GenerationActions::reload)),
                post(
                        "/rollback",
                        "goes back to an earlier generation, which holds until a reload",
                        given -> ofGenerations(all -> GenerationActions.rollback(all, given)),
                        needed("generation", "the number of a generation that is kept")),
                post(
                        "/upstreams/endpoint",
                        "changes an endpoint until the process ends",
                        given -> ofGeneration(generation -> EndpointActions.change(generation, given)),
                        needed("upstream", "the name of its upstream"),
                        needed("endpoint", "its HOST:PORT, as /upstreams has it"),
                        optional("state", "enabled, draining or disabled"),
                        optional("weight", "1 to 1000; 0 goes back to the configured one")),
                post(
                        "/breakers",
                        "holds a circuit open or closed until the process ends, or lets it decide for itself again",
                        given -> ofGeneration(generation -> BreakerActions.change(generation, given)),
                        needed("upstream", "the name of its upstream"),
                        optional("endpoint", "its HOST:PORT, where each endpoint has a circuit of its own"),
                        needed("state", "force-open, force-closed or auto")),
                post(
                        "/filters",
                        "leaves a filter out until the process ends, or lets it run again",
                        given -> ofGeneration(generation -> FilterActions.change(generation, given)),
                        needed("phase", "inbound, endpoint, error or outbound"),
                        needed("name", "its name, as /filters has it"),
                        needed("state", "disabled or enabled"),
                        optional("force", "true leaves out one whose failure fails the exchange, too")),
                post(
                        "/log",
                        "gives a logger another level, until the process ends or for a while",
                        given -> slow.make(() -> log.change(given)),
                        needed("logger", "its name, or root"),
                        needed("level", "off, error, warn, info, debug or trace; inherit takes its level away"),
                        optional("for", "how long, such as 10m; then it has again what it had")),
                post(
                        "/drain",
                        "takes the gateway out of the traffic, or ends the process when all that is under way is done",
                        given -> now(DrainActions.drain(source, given)),
                        optional("ready", "false says not ready and serves on, true takes that back"),
                        optional("exit", "true drains as on SIGTERM; nothing takes that back")));
    }

    private CompletableFuture<AdminAnswer> ofGeneration(Function<Generation, AdminAnswer> action) {
        Generation generation = source.generation();
        return now(generation == null ? AdminAnswer.unavailable("starting") : action.apply(generation));
    }

    private CompletableFuture<AdminAnswer> ofGenerations(Function<Generations, CompletableFuture<AdminAnswer>> action) {
        Generations generations = source.generations();
        return generations == null
                ? now(AdminAnswer.unavailable("this gateway follows no files"))
                : action.apply(generations);
    }
}
