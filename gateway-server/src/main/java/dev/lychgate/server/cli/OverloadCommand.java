package dev.lychgate.server.cli;

import dev.lychgate.server.terminal.OverloadText;
import picocli.CommandLine.Command;

/** {@code overload}: shows the ladder of each upstream with the current rung and its reason. */
@Command(
        name = "overload",
        description =
                "Prints how overloaded each upstream of a running gateway is: the current rung of its ladder, and the"
                        + " reason.",
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
