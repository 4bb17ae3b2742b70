package dev.lychgate.server.cli;

import dev.lychgate.server.terminal.DifferenceText;
import dev.lychgate.server.terminal.JsonValue;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code diff}: prints the differences between a running gateway and its files. */
@Command(
        name = "diff",
        description =
                "Prints the differences between the running generation and the files, or between two generations.",
        footer = {
            "  lychgate diff",
            "  lychgate diff 4",
            "  lychgate diff 4 5 --json",
            "",
            "Exit codes: 0 no difference, 1 differences, 2 there is no result."
        })
final class DiffCommand extends AdminCommand {
    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "FROM",
            description = "The number of a kept generation; default the running generation.")
    private @Nullable Long from;

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "TO",
            description = "The number of another kept generation; default the files.")
    private @Nullable Long to;

    DiffCommand() {
        super("GET", DifferenceText::lines);
    }

    @Override
    String target() {
        return target("/generations/diff", "from", from, "to", to);
    }

    @Override
    int exitCode(int status, JsonValue page) {
        if (status != OK) {
            return ExitCode.NO_RESULT;
        }
        return page.is("differs") ? ExitCode.DIFFERENT : ExitCode.OK;
    }

    @Override
    int withoutResponse() {
        return ExitCode.NO_RESULT;
    }
}
