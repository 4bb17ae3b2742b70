package dev.lychgate.server.cli;

import dev.lychgate.config.Durations;
import dev.lychgate.server.terminal.JsonValue;
import dev.lychgate.server.terminal.RolloutText;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code rollout}: shows or changes the rollout of a candidate. */
@Command(
        name = "rollout",
        description = {
            "Shows or changes the rollout of a candidate generation of a running gateway.",
            "status shows it. pause stops the growth of its share, and resume continues it. promote puts the candidate"
                    + " in force now, and abort withdraws it, whatever the verdict is. set changes its share.",
            "wait waits until the latest rollout ends, and then shows it."
        },
        footer = {
            "  lychgate rollout status",
            "  lychgate rollout pause",
            "  lychgate rollout set 25%%",
            "  lychgate rollout wait --for 30m",
            "",
            "Exit codes with wait: 0 the candidate was promoted, 1 it was aborted or superseded, 2 there is no outcome."
        })
final class RolloutCommand extends AdminCommand {
    private static final String STATUS = "status";
    private static final String WAIT = "wait";
    private static final List<String> ACTIONS = List.of(STATUS, WAIT, "pause", "resume", "promote", "abort", "set");
    /** The states in which the outcome is open. */
    private static final Set<String> OPEN = Set.of("running", "paused", "promoting");

    /** In seconds. */
    private static final int INTERVAL = 1;

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "ACTION",
            description = "status, wait, pause, resume, promote, abort or set; default status.")
    private String action = STATUS;

    @Parameters(index = "1", arity = "0..1", paramLabel = "SHARE", description = "With set: its share, such as 25%%.")
    private @Nullable String share;

    @Option(
            names = "--for",
            paramLabel = "TIME",
            description = "With wait: how long at most, such as 30m; default until the end of the rollout.")
    private @Nullable String time;

    RolloutCommand() {
        super("POST", RolloutText::lines);
    }

    @Override
    String method() {
        return onlyReads() ? "GET" : super.method();
    }

    private boolean onlyReads() {
        return action.equals(STATUS) || action.equals(WAIT);
    }

    @Override
    String target() throws UsageException {
        if (!ACTIONS.contains(action)) {
            throw new UsageException("rollout " + action + " (expected: " + String.join(", ", ACTIONS) + ")");
        }
        if (action.equals("set") != (share != null)) {
            throw new UsageException("rollout " + action + (share == null ? "" : " " + share)
                    + " (expected: a share, such as 25%, with set only)");
        }
        if (time != null && !action.equals(WAIT)) {
            throw new UsageException("rollout " + action + " --for " + time + " (expected: --for with wait only)");
        }
        return onlyReads() ? "/rollout" : target("/rollout", "action", action, "share", share);
    }

    @Override
    HttpResponse<String> ask(AdminClient client) throws Exception {
        Duration limit = limit();
        long start = System.nanoTime();
        HttpResponse<String> response = super.ask(client);
        while (action.equals(WAIT)
                && isOpen(response)
                && (limit == null || Duration.ofNanos(System.nanoTime() - start).compareTo(limit) < 0)) {
            TimeUnit.SECONDS.sleep(INTERVAL);
            response = super.ask(client);
        }
        return response;
    }

    private @Nullable Duration limit() throws UsageException {
        if (time == null) {
            return null;
        }
        try {
            Duration limit = Durations.parse(time);
            if (!limit.isNegative()) {
                return limit;
            }
        } catch (IllegalArgumentException e) {
            // Reported like a negative one.
        }
        throw new UsageException("--for " + time + " (expected: a duration such as 30s, 10m or 1h)");
    }

    private static boolean isOpen(HttpResponse<String> response) throws IOException {
        return response.statusCode() == OK
                && OPEN.contains(JsonValue.of(response.body()).text("state"));
    }

    @Override
    int exitCode(int status, JsonValue page) {
        if (!action.equals(WAIT)) {
            return super.exitCode(status, page);
        }
        return switch (page.text("state")) {
            case "promoted" -> ExitCode.OK;
            case "aborted", "superseded" -> ExitCode.FAILED;
            default -> ExitCode.NO_RESULT;
        };
    }

    @Override
    int withoutResponse() {
        return action.equals(WAIT) ? ExitCode.NO_RESULT : super.withoutResponse();
    }
}
