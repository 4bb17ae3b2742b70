package dev.lychgate.server.cli;

import dev.lychgate.server.applog.OwnLogback;
import dev.lychgate.server.engine.StartException;
import dev.lychgate.server.yaml.Fault;
import dev.lychgate.server.yaml.FaultyConfigException;
import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Says what went wrong with a command: a faulty file line by line, everything else in one line. */
final class Failure {
    private static final Logger LOG = LoggerFactory.getLogger(Failure.class);

    private Failure() {}

    /** @return the exit code */
    static int tell(Exception e, PrintWriter err) {
        // Lines of the log come first.
        OwnLogback.flush();
        if (e instanceof FaultyConfigException faulty) {
            for (Fault fault : faulty.faults()) {
                err.println(fault);
            }
            return ExitCode.CONFIGURATION;
        } else if (e instanceof StartException start) {
            err.println("lychgate: " + oneLine(e.getMessage()));
            return start.exitCode();
        } else {
            // A fault of ours: whoever looks into it turns on debug and has the trace.
            LOG.debug("unexpected failure", e);
            err.println("lychgate: unexpected failure: " + oneLine(e.toString()));
        }
        return ExitCode.FAILED;
    }

    static String oneLine(@Nullable String text) {
        return String.valueOf(text).replaceAll("\\s*[\\r\\n]+\\s*", " ").trim();
    }
}
