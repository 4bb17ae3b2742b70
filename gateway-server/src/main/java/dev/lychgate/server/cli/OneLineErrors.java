package dev.lychgate.server.cli;

import dev.lychgate.server.engine.StartException;
import dev.lychgate.server.yaml.Fault;
import dev.lychgate.server.yaml.FaultyConfigException;
import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;

/** Says what went wrong: a faulty file line by line, everything else in one line. */
final class OneLineErrors implements CommandLine.IParameterExceptionHandler, CommandLine.IExecutionExceptionHandler {
    private static final Logger LOG = LoggerFactory.getLogger(OneLineErrors.class);
    private static final int FAILED = 1;

    @Override
    public int handleParseException(CommandLine.ParameterException e, String[] args) {
        PrintWriter err = e.getCommandLine().getErr();
        err.println("lychgate: " + oneLine(e.getMessage()) + " (try: "
                + e.getCommandLine().getCommandSpec().qualifiedName() + " --help)");
        return FAILED;
    }

    @Override
    public int handleExecutionException(Exception e, CommandLine commandLine, CommandLine.ParseResult parsed) {
        PrintWriter err = commandLine.getErr();
        if (e instanceof FaultyConfigException faulty) {
            for (Fault fault : faulty.faults()) {
                err.println(fault);
            }
        } else if (e instanceof StartException) {
            err.println("lychgate: " + oneLine(e.getMessage()));
        } else {
            // A fault of ours: whoever looks into it turns on debug and has the trace.
            LOG.debug("unexpected failure", e);
            err.println("lychgate: unexpected failure: " + oneLine(e.toString()));
        }
        return FAILED;
    }

    private static String oneLine(@Nullable String text) {
        return String.valueOf(text).replaceAll("\\s*[\\r\\n]+\\s*", " ").trim();
    }
}
