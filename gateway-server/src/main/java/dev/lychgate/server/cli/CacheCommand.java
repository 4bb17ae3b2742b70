package dev.lychgate.server.cli;

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
final class CacheCommand extends SubCommand {
    @Override
    public Integer call() throws Exception {
        try (Rehearsal rehearsal = Rehearsal.start(surroundings())) {
            print("rehearsed " + rehearsal.play() + " requests");
        }
        return 0;
    }
}
