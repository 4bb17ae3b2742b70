package dev.lychgate.server.cli;

import dev.lychgate.server.json.JsonText;
import java.util.concurrent.Callable;
import picocli.CommandLine.ParentCommand;

/**
 * A command. Its parent, the complete command line, provides the surroundings and the options that precede the name of
 * the command.
 */
abstract class SubCommand implements Callable<Integer> {
    @ParentCommand
    @SuppressWarnings("NullAway.Init") // picocli sets it before it calls the command
    private Parent whole;

    /** The complete command line, which is the parent of each command. */
    interface Parent {
        Surroundings surroundings();

        /** Returns the configuration option that precedes the command's name. */
        ConfigOption config();
    }

    final Surroundings surroundings() {
        return whole.surroundings();
    }

    /** Returns the configuration option that precedes the command's name. */
    final ConfigOption outer() {
        return whole.config();
    }

    final void print(String line) {
        surroundings().out().println(line);
    }

    final void print(JsonText.Content json) {
        print(JsonText.of(json));
    }
}
