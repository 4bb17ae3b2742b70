package dev.lychgate.server.cli;

import dev.lychgate.config.EndpointConfig;
import dev.lychgate.server.terminal.ChangeText;
import dev.lychgate.server.terminal.DifferenceText;
import dev.lychgate.server.terminal.JsonValue;
import dev.lychgate.server.terminal.RolloutText;
import java.net.http.HttpResponse;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The commands that change a running gateway. */
final class ChangeCommand {
    private ChangeCommand() {}

    /** {@code reload}: makes a running gateway reread its files. */
    @Command(
            name = "reload",
            description = "Makes a running gateway read its configuration and filters, and prints the result.",
            footer = {
                "  lychgate reload",
                "  lychgate reload --rollout 1%%,10%%,50%% --hold 1m",
                "  lychgate reload --config config/gateway.yml --json",
                "  lychgate reload --dry-run",
                "  lychgate reload --wait --for 30m",
                "",
                "Exit codes with --dry-run: 0 a reload would succeed, 1 it would be refused, 2 there is no verdict.",
                "Exit codes with --wait: 0 the files are in force, 1 they were refused, aborted or superseded, 2 there is"
                        + " no outcome."
            })
    static final class Reload extends AdminCommand {
        @Option(
                names = "--rollout",
                paramLabel = "STEPS",
                description = "The rollout in place of the configured rollout: off, or steps such as 1%%,10%%.")
        private @Nullable String rollout;

        @Option(
                names = "--hold",
                paramLabel = "TIME",
                description = "The minimum duration of each step in place of the configured duration, such as 10s.")
        private @Nullable String hold;

        @Option(
                names = "--dry-run",
                description = "Runs all checks of a reload, tests of filters included, and changes nothing.")
        private boolean dryRun;

        @Option(
                names = "--wait",
                description = "Waits for the outcome of the rollout, if the files become a candidate.")
        private boolean wait;

        @Mixin
        private final RolloutWait waiting = new RolloutWait();

        Reload() {
            super("POST", ChangeText::generations);
        }

        @Override
        String target() throws UsageException {
            if (wait ? dryRun : waiting.isLimited()) {
                throw new UsageException(
                        wait
                                ? "reload --wait --dry-run (expected: only one of them)"
                                : "reload --for (expected: with --wait only)");
            }
            return target("/reload", "rollout", rollout, "hold", hold, "dry-run", dryRun ? "true" : null);
        }

        @Override
        HttpResponse<String> ask(AdminClient client) throws Exception {
            waiting.limit();
            HttpResponse<String> response = super.ask(client);
            return wait && response.statusCode() == OK
                    ? waiting.await(
                            client, response, JsonValue.of(response.body()).get("rollout"))
                    : response;
        }

        @Override
        List<String> lines(JsonValue response) {
            if (dryRun) {
                return DifferenceText.verdict(response.get("dry_run"));
            }
            return isOfReload(response) ? super.lines(response) : RolloutText.lines(response);
        }

        /** Returns whether a response describes the reload itself, not the rollout that follows it. */
        private static boolean isOfReload(JsonValue response) {
            return response.has("kept");
        }

        @Override
        int exitCode(int status, JsonValue page) {
            if (wait && status == OK) {
                JsonValue rollout = isOfReload(page) ? page.get("rollout") : page;
                boolean none = isOfReload(page) && !RolloutWait.isOpen(rollout);
                return none ? ExitCode.OK : waiting.exitCode(rollout);
            }
            if (wait && status != REFUSED) {
                return ExitCode.NO_RESULT;
            }
            return dryRun && status != OK && status != REFUSED ? ExitCode.NO_RESULT : super.exitCode(status, page);
        }

        @Override
        int withoutResponse() {
            return dryRun || wait ? ExitCode.NO_RESULT : super.withoutResponse();
        }
    }

    /** {@code rollback}: makes a running gateway return to an earlier generation. */
    @Command(
            name = "rollback",
            description =
                    "Rolls a running gateway back to an earlier generation, which stays in force until a reload is"
                            + " requested.",
            footer = {"  lychgate rollback 4", "  lychgate rollback --to 17"})
    static final class Rollback extends AdminCommand {
        @ArgGroup(exclusive = true, multiplicity = "1")
        private Target target = new Target();

        /** A generation or an entry of the history; exactly one of these options is given. */
        private static final class Target {
            @Parameters(
                    arity = "0..1",
                    paramLabel = "GENERATION",
                    description = "The number of the generation; see /generations of the admin listener.")
            private @Nullable Long generation;

            @Option(
                    names = "--to",
                    paramLabel = "ENTRY",
                    description = "In place of GENERATION: the number of an entry of the history whose files are kept.")
            private @Nullable Long entry;
        }

        Rollback() {
            super("POST", ChangeText::generations);
        }

        @Override
        String target() {
            return target("/rollback", "generation", target.generation, "entry", target.entry);
        }
    }

    /** {@code endpoint}: changes an endpoint. */
    @Command(
            name = "endpoint",
            description = "Drains, disables or enables an endpoint of a running gateway, or sets its weight, until the"
                    + " gateway ends.",
            footer = {
                "  lychgate endpoint api 10.0.0.1:9000 --drain",
                "  lychgate endpoint api 10.0.0.1:9000 --enable --weight 5"
            })
    static final class OfEndpoint extends AdminCommand {
        @Parameters(index = "0", paramLabel = "UPSTREAM", description = "The name of the upstream.")
        private String upstream = "";

        @Parameters(
                index = "1",
                paramLabel = "ENDPOINT",
                description = "The HOST:PORT of the endpoint; see /upstreams of the admin listener.")
        private String endpoint = "";

        @ArgGroup(exclusive = false, multiplicity = "1")
        private Change change = new Change();

        /** The state and the weight; at least one of these options is given. */
        private static final class Change {
            @ArgGroup(exclusive = true)
            private @Nullable State state;

            @Option(
                    names = "--weight",
                    paramLabel = "N",
                    description = "The weight of the endpoint, up to " + EndpointConfig.MAX_WEIGHT
                            + "; 0 = the configured weight.")
            private @Nullable Integer weight;
        }

        /** The new state; at most one of these options is given. */
        private static final class State {
            @Option(
                    names = "--drain",
                    description = "The endpoint gets no new clients, but clients with a session keep using it.")
            private boolean drain;

            @Option(names = "--disable", description = "The endpoint gets no requests.")
            private boolean disable;

            @Option(names = "--enable", description = "The endpoint gets requests.")
            @SuppressWarnings("unused") // the last of three
            private boolean enable;

            private String word() {
                return drain ? "draining" : disable ? "disabled" : "enabled";
            }
        }

        OfEndpoint() {
            super("POST", ChangeText::endpoint);
        }

        @Override
        String target() {
            String state = change.state == null ? null : change.state.word();
            return target(
                    "/upstreams/endpoint",
                    "upstream",
                    upstream,
                    "endpoint",
                    endpoint,
                    "state",
                    state,
                    "weight",
                    change.weight);
        }
    }

    /** {@code breaker}: forces a circuit breaker open or closed, or makes it automatic again. */
    @Command(
            name = "breaker",
            description =
                    "Forces a circuit breaker of a running gateway open or closed until the gateway ends, or makes it"
                            + " automatic again.",
            footer = {"  lychgate breaker api --open", "  lychgate breaker api 10.0.0.1:9000 --auto"})
    static final class OfBreaker extends AdminCommand {
        @Parameters(index = "0", paramLabel = "UPSTREAM", description = "The name of the upstream.")
        private String upstream = "";

        @Parameters(
                index = "1",
                arity = "0..1",
                paramLabel = "ENDPOINT",
                description = "The HOST:PORT of the endpoint, if each endpoint has a separate circuit.")
        private @Nullable String endpoint;

        @ArgGroup(exclusive = true, multiplicity = "1")
        private Position position = new Position();

        /** The position of the circuit breaker; exactly one of these options is given. */
        private static final class Position {
            @Option(names = "--open", description = "No request is sent.")
            private boolean open;

            @Option(names = "--close", description = "All requests are sent, regardless of their outcome.")
            private boolean close;

            @Option(names = "--auto", description = "The circuit opens and closes as configured.")
            @SuppressWarnings("unused") // the last of three
            private boolean auto;
        }

        OfBreaker() {
            super("POST", ChangeText::breaker);
        }

        @Override
        String target() {
            String word = position.open ? "force-open" : position.close ? "force-closed" : "auto";
            return target("/breakers", "upstream", upstream, "endpoint", endpoint, "state", word);
        }
    }

    /** {@code filter}: disables or enables a filter. */
    @Command(
            name = "filter",
            description =
                    "Disables a filter of a running gateway until the gateway ends, or enables a disabled filter.",
            footer = {
                "  lychgate filter inbound Quota --disable",
                "  lychgate filter inbound Quota --disable --route search",
                "  lychgate filter inbound Quota --enable"
            })
    static final class OfFilter extends AdminCommand {
        @Parameters(index = "0", paramLabel = "PHASE", description = "inbound, endpoint, error or outbound.")
        private String phase = "";

        @Parameters(
                index = "1",
                paramLabel = "NAME",
                description = "The name of the filter; see /filters of the admin listener.")
        private String name = "";

        @ArgGroup(exclusive = true, multiplicity = "1")
        private Use use = new Use();

        @Option(names = "--force", description = "With --disable: also disables a filter that fails closed.")
        private boolean force;

        @Option(names = "--route", paramLabel = "ID", description = "Changes the filter only on this route.")
        private @Nullable String route;

        /** Whether the filter runs; exactly one of these options is given. */
        private static final class Use {
            @Option(names = "--disable", description = "Exchanges continue without the filter.")
            private boolean disable;

            @Option(names = "--enable", description = "The filter runs again.")
            @SuppressWarnings("unused") // the last of two
            private boolean enable;
        }

        OfFilter() {
            super("POST", ChangeText::filters);
        }

        @Override
        String target() {
            String word = use.disable ? "disabled" : "enabled";
            String forced = force ? "true" : null;
            return target("/filters", "phase", phase, "name", name, "state", word, "force", forced, "route", route);
        }

        @Override
        String told(String problem) {
            return problem.replace("force=true", "--force");
        }
    }

    /** {@code log-level}: sets the level of a logger. */
    @Command(
            name = "log-level",
            description =
                    "Changes the level of a logger of a running gateway, until the gateway ends or for a limited time.",
            footer = {"  lychgate log-level root debug --for 10m", "  lychgate log-level dev.lychgate.exchange inherit"
            })
    static final class LogLevel extends AdminCommand {
        @Parameters(
                index = "0",
                paramLabel = "LOGGER",
                description = "The name of the logger, such as dev.lychgate.exchange, or root.")
        private String logger = "";

        @Parameters(
                index = "1",
                paramLabel = "LEVEL",
                description = "off, error, warn, info, debug or trace; inherit removes the logger's own level.")
        private String level = "";

        @Option(
                names = "--for",
                paramLabel = "TIME",
                description = "The time for which the level applies, such as 10m; default until the gateway ends.")
        private @Nullable String time;

        LogLevel() {
            super("POST", ChangeText::loggers);
        }

        @Override
        String target() {
            return target("/log", "logger", logger, "level", level, "for", time);
        }
    }
}
