package dev.lychgate.server.reload;

import dev.lychgate.server.cli.LychgateCommand;
import dev.lychgate.server.cli.Signals;
import dev.lychgate.server.cli.Surroundings;
import dev.lychgate.server.engine.GatewayEngine;
import java.io.PrintWriter;
import java.io.StringWriter;

/** Commands of the command line, within the process of the test. */
final class Commands {
    private Commands() {}

    /**
     * Runs a command.
     *
     * @return the exit code, a colon, and the output of both streams
     */
    static String run(GatewayEngine engine, String... words) {
        StringWriter output = new StringWriter();
        PrintWriter printer = new PrintWriter(output, true);
        int code = LychgateCommand.execute(
                new Surroundings(engine, name -> null, printer, printer, hook -> {}, Signals.NONE), words);
        return code + ": " + output;
    }
}
