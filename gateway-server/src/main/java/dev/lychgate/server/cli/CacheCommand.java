package dev.lychgate.server.cli;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/**
 * {@code cache}: what the start script has the JVM watch, to keep the classes that were loaded and what it learned of their
 * methods. The JVM's part, where it is watched from and where the cache goes, is the script's.
 */
@Command(
        name = "cache",
        description = {
            "Makes a cache of classes beside the jar, for the JDK in use: bin/lychgate takes it at each start from then on.",
            "By bin/lychgate only, and without options. Make it anew when the jar or the JDK is another one."
        },
        footer = {"  lychgate cache"})
final class CacheCommand implements Callable<Integer> {
    private final Surroundings surroundings;

    CacheCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() throws Exception {
        PrintWriter out = surroundings.out();
        try (Rehearsal rehearsal = Rehearsal.start(surroundings)) {
            out.println("rehearsed " + rehearsal.play() + " requests");
        }
        return 0;
    }
}
