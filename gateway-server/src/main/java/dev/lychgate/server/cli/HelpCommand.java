package dev.lychgate.server.cli;

import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code help}: prints the help of one command, or of all commands. */
@Command(
        name = "help",
        description = "Prints the help of a command.",
        footer = {"  lychgate help", "  lychgate help trace"})
final class HelpCommand extends SubCommand {
    @Spec
    private @Nullable CommandSpec spec;

    @Parameters(arity = "0..1", paramLabel = "COMMAND", description = "The command; default all commands.")
    private @Nullable String command;

    @Override
    public Integer call() {
        if (spec == null) {
            throw new IllegalStateException("picocli has not set the command");
        }
        CommandLine all = spec.root().commandLine();
        CommandLine chosen = command == null ? all : all.getSubcommands().get(command);
        if (chosen == null) {
            throw new CommandLine.UnmatchedArgumentException(all, List.of(String.valueOf(command)));
        }
        chosen.usage(surroundings().out());
        return ExitCode.OK;
    }
}
