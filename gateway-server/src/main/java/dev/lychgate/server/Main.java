package dev.lychgate.server;

import dev.lychgate.server.cli.Lychgate;
import dev.lychgate.server.cli.Surroundings;
import dev.lychgate.server.engine.DataPlaneEngine;

/** Where the process begins. */
public final class Main {
    private Main() {}

    /** Runs one command and exits: 0 if all went well, 1 if not. */
    public static void main(String[] args) {
        System.exit(Lychgate.execute(Surroundings.ofProcess(new DataPlaneEngine()), args));
    }
}
