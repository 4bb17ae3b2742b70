package dev.lychgate.server.cli;

import picocli.CommandLine.Option;

/** {@code --json}: prints the result as JSON instead of text. */
final class JsonOption {
    @Option(names = "--json", order = 500, description = "Prints the result as JSON.")
    private boolean given;

    boolean isGiven() {
        return given;
    }
}
