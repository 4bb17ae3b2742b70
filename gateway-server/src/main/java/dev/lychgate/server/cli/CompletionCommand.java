package dev.lychgate.server.cli;

import picocli.AutoComplete;
import picocli.CommandLine.Command;

/** {@code completion}: prints a completion script for shells, derived from the commands and their options. */
@Command(
        name = "completion",
        description = "Prints a script with which bash and zsh complete commands, options and their values.",
        footer = {"  lychgate completion > ~/.lychgate-completion", "  source ~/.lychgate-completion"})
final class CompletionCommand extends SubCommand {
    @Override
    public Integer call() {
        surroundings().out().println(AutoComplete.bash("lychgate", LychgateCommand.all(surroundings())));
        return ExitCode.OK;
    }
}
