package dev.lychgate.server.cli;

import java.io.PrintWriter;
import picocli.CommandLine;

/** Says what was wrong with the words of a command in one line, and what went wrong with it as {@link Failure} does. */
final class OneLineErrors implements CommandLine.IParameterExceptionHandler, CommandLine.IExecutionExceptionHandler {
    @Override
    public int handleParseException(CommandLine.ParameterException e, String[] args) {
        PrintWriter err = e.getCommandLine().getErr();
        err.println("lychgate: " + Failure.oneLine(e.getMessage()) + " (try: "
                + e.getCommandLine().getCommandSpec().qualifiedName() + " --help)");
        return Failure.EXIT_CODE;
    }

    @Override
    public int handleExecutionException(Exception e, CommandLine commandLine, CommandLine.ParseResult parsed) {
        return Failure.tell(e, commandLine.getErr());
    }
}
