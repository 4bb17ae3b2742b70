package dev.lychgate.server.cli;

import dev.lychgate.server.terminal.OverloadText;
import picocli.CommandLine.Command;

/** {@code overload}: shows the current rung (level of overload) of each upstream, and the reason for the rung. */
@Command(
        name = "overload",
        description =
                "Prints the overload of each upstream of a running gateway: the current rung, and the reason for it.",
        footer = {"  lychgate overload", "  lychgate overload --json"})
final class OverloadCommand extends AdminCommand {
    OverloadCommand() {
        super("GET", OverloadText::lines);
    }

    @Override
    String target() {
        return "/overload";
    }
}
