package dev.lychgate.server.cli;

import dev.lychgate.server.terminal.RolloutText;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code rollout}: shows or changes the rollout of a candidate. */
@Command(
        name = "rollout",
        description = {
            "Shows or changes the rollout of a candidate generation of a running gateway.",
            "status shows it. pause stops the growth of its share, and resume continues it. promote puts the candidate"
                    + " in force now, and abort withdraws it, whatever the verdict is. set changes its share."
        },
        footer = {"  lychgate rollout status", "  lychgate rollout pause", "  lychgate rollout set 25%%"})
final class RolloutCommand extends AdminCommand {
    private static final String STATUS = "status";
    private static final List<String> ACTIONS = List.of(STATUS, "pause", "resume", "promote", "abort", "set");

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "ACTION",
            description = "status, pause, resume, promote, abort or set; default status.")
    private String action = STATUS;

    @Parameters(index = "1", arity = "0..1", paramLabel = "SHARE", description = "With set: its share, such as 25%%.")
    private @Nullable String share;

    RolloutCommand() {
        super("POST", RolloutText::lines);
    }

    @Override
    String method() {
        return action.equals(STATUS) ? "GET" : super.method();
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
        return action.equals(STATUS) ? "/rollout" : target("/rollout", "action", action, "share", share);
    }
}
