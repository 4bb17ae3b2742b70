package dev.lychgate.server.cli;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * {@code run} in the words that services are started with: {@code run}, {@code run --config FILE}. They are understood without
 * picocli, which begins by looking at every command by reflection and by setting up the whole of Groovy, as that is on the
 * class path: a good part of the CPU time to the first request. All other words, and all help, are picocli's.
 */
final class PlainRun {
    private PlainRun() {}

    /** The configuration that these words mean; null if they may mean anything else than a plain {@code run}. */
    static @Nullable ConfigOption understand(String... args) {
        if (args.length == 0 || !args[0].equals("run")) {
            return null;
        }
        if (args.length == 1) {
            return new ConfigOption();
        }
        boolean named = args[1].equals("--config") || args[1].equals("-c");
        return args.length == 3 && named && isPlain(args[2]) ? ConfigOption.of(Path.of(args[2])) : null;
    }

    /** Not an option, and not one of picocli's files of arguments. */
    private static boolean isPlain(String file) {
        return !file.isEmpty() && !file.startsWith("-") && !file.startsWith("@");
    }
}
