package dev.lychgate.server.cli;

import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Reports a malformed command line in one line, and a failed command as {@link Failure} does. */
final class OneLineErrors implements CommandLine.IParameterExceptionHandler, CommandLine.IExecutionExceptionHandler {
    @Override
    public int handleParseException(ParameterException e, String[] args) {
        PrintWriter err = e.getCommandLine().getErr();
        String message = e instanceof UnmatchedArgumentException unmatched
                ? unknown(unmatched)
                : Failure.oneLine(e.getMessage());
        err.println("lychgate: " + message + hint(e.getCommandLine()));
        return ExitCode.USAGE;
    }

    @Override
    public int handleExecutionException(Exception e, CommandLine commandLine, CommandLine.ParseResult parsed) {
        if (e instanceof UsageException) {
            commandLine.getErr().println("lychgate: " + Failure.oneLine(e.getMessage()) + hint(commandLine));
            return ExitCode.USAGE;
        }
        return Failure.tell(e, commandLine.getErr());
    }

    private static String hint(CommandLine of) {
        return " (try: " + of.getCommandSpec().qualifiedName() + " --help)";
    }

    private static String unknown(UnmatchedArgumentException e) {
        String first = e.getUnmatched().get(0);
        boolean root = e.getCommandLine().getParent() == null;
        String kind = e.isUnknownOption() ? "unknown option" : root ? "unknown command" : "unexpected argument";
        List<String> near = kind.equals("unexpected argument") ? List.of() : e.getSuggestions();
        String name = first == null ? "" : Failure.oneLine(first);
        return kind + " '" + name + "'" + (near.isEmpty() ? "" : "; did you mean '" + near.get(0) + "'?");
    }
}
