package dev.lychgate.server.cli;

import dev.lychgate.config.KnownSecrets;
import dev.lychgate.server.applog.OwnLogback;
import dev.lychgate.server.engine.StartException;
import dev.lychgate.server.terminal.Printable;
import dev.lychgate.server.yaml.FaultyConfigException;
import java.io.PrintWriter;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * Reports the failure of a command. For errors in files, it prints one line for each error. For any other failure, such
 * as a malformed command line, it prints a single line.
 */
final class Failure implements CommandLine.IParameterExceptionHandler, CommandLine.IExecutionExceptionHandler {
    private static final Logger LOG = LoggerFactory.getLogger(Failure.class);

    /**
     * Prints why a command failed.
     *
     * @return the exit code
     */
    static int tell(Exception e, PrintWriter err) {
        // Log lines that are still queued are printed first.
        OwnLogback.flush();
        if (e instanceof FaultyConfigException faulty) {
            faulty.faults().forEach(err::println);
            return ExitCode.CONFIGURATION;
        } else if (e instanceof StartException start) {
            start.faults().forEach(err::println);
            if (start.faults().isEmpty()) {
                err.println("lychgate: " + oneLine(e.getMessage()));
            }
            return start.exitCode();
        } else {
            // An internal error. The stack trace is only in the debug log.
            LOG.debug("unexpected failure", e);
            // The text of the exception may come from a recording or another file, and may contain control characters
            // for the terminal.
            err.println("lychgate: unexpected failure: " + Printable.escaped(oneLine(e.toString())));
        }
        return ExitCode.FAILED;
    }

    private static String oneLine(@Nullable String text) {
        return KnownSecrets.OF_PROCESS
                .hide(String.valueOf(text))
                .replaceAll("\\s*[\\r\\n]+\\s*", " ")
                .trim();
    }

    @Override
    public int handleParseException(ParameterException e, String[] args) {
        PrintWriter err = e.getCommandLine().getErr();
        String message =
                e instanceof UnmatchedArgumentException unmatched ? unknown(unmatched) : oneLine(e.getMessage());
        err.println("lychgate: " + message + hint(e.getCommandLine()));
        return ExitCode.USAGE;
    }

    @Override
    public int handleExecutionException(Exception e, CommandLine commandLine, CommandLine.ParseResult parsed) {
        if (e instanceof UsageException) {
            commandLine.getErr().println("lychgate: " + oneLine(e.getMessage()) + hint(commandLine));
            return ExitCode.USAGE;
        }
        return tell(e, commandLine.getErr());
    }

    private static String hint(CommandLine of) {
        return " (try: " + of.getCommandSpec().qualifiedName() + " --help)";
    }

    private static String unknown(UnmatchedArgumentException e) {
        String first = e.getUnmatched().get(0);
        boolean root = e.getCommandLine().getParent() == null;
        String kind = e.isUnknownOption() ? "unknown option" : root ? "unknown command" : "unexpected argument";
        List<String> near = kind.equals("unexpected argument") ? List.of() : e.getSuggestions();
        String name = first == null ? "" : oneLine(first);
        return kind + " '" + name + "'" + (near.isEmpty() ? "" : "; did you mean '" + near.get(0) + "'?");
    }
}
