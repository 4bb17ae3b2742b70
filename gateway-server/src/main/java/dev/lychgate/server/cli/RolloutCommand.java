package dev.lychgate.server.cli;

import dev.lychgate.server.terminal.JsonValue;
import dev.lychgate.server.terminal.RolloutText;
import java.net.http.HttpResponse;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code rollout}: shows or changes the rollout of a candidate. */
@Command(
        name = "rollout",
        description = {
            "Shows or changes the rollout of a candidate generation of a running gateway.",
            "status shows the rollout. pause stops the growth of the candidate's share, and resume continues the"
                    + " growth. promote puts the candidate in force now, and abort withdraws the candidate, regardless"
                    + " of the verdict. set changes the share of the candidate.",
            "wait returns when the rollout in progress has ended, and shows the outcome. Without a rollout in progress,"
                    + " wait shows the latest rollout."
        },
        footer = {
            "  lychgate rollout status",
            "  lychgate rollout status --examples",
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

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "ACTION",
            description = "status, wait, pause, resume, promote, abort or set; default status.")
    private String action = STATUS;

    @Parameters(index = "1", arity = "0..1", paramLabel = "SHARE", description = "With set: the share, such as 25%%.")
    private @Nullable String share;

    @Option(
            names = "--examples",
            description = "With status: shows only the shadow, with examples of the differences. Needs the role"
                    + " recorder, because the examples contain data of clients.")
    private boolean examples;

    @Mixin
    private final RolloutWait waiting = new RolloutWait();

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
                    + " (expected: a share such as 25% with set, and no share with other actions)");
        }
        if (waiting.isLimited() && !action.equals(WAIT)) {
            throw new UsageException("rollout " + action + " --for (expected: --for only with wait)");
        }
        if (examples && !action.equals(STATUS)) {
            throw new UsageException("rollout " + action + " --examples (expected: --examples only with status)");
        }
        if (examples) {
            return "/rollout/examples";
        }
        return onlyReads() ? "/rollout" : target("/rollout", "action", action, "share", share);
    }

    @Override
    HttpResponse<String> ask(AdminClient client) throws Exception {
        waiting.limit();
        HttpResponse<String> response = super.ask(client);
        return action.equals(WAIT) && response.statusCode() == OK
                ? waiting.await(client, response, JsonValue.of(response.body()))
                : response;
    }

    @Override
    int exitCode(int status, JsonValue page) {
        return action.equals(WAIT) ? waiting.exitCode(page) : super.exitCode(status, page);
    }

    @Override
    int withoutResponse() {
        return action.equals(WAIT) ? ExitCode.NO_RESULT : super.withoutResponse();
    }
}
