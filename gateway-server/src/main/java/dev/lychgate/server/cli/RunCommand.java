package dev.lychgate.server.cli;

import dev.lychgate.config.GatewayConfig;
import dev.lychgate.server.applog.LogSetup;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code run}: serves until it is told to stop, then drains. */
@Command(
        name = "run",
        description = "Serves until SIGTERM or SIGINT, then drains.",
        footer = {"  lychgate run", "  lychgate run --config config/gateway.yml"})
final class RunCommand extends SubCommand {
    @Mixin
    private final ConfigOption config = new ConfigOption();

    @Override
    public Integer call() throws Exception {
        return serve(surroundings(), config.or(outer()));
    }

    static int serve(Surroundings surroundings, ConfigOption config) throws Exception {
        GatewayConfig settings = config.load(surroundings).config();
        LogSetup.apply(settings.log());
        return Service.serve(
                surroundings,
                settings,
                () -> surroundings.engine().start(config.file(surroundings), surroundings.environment(), settings),
                gateway -> {},
                () -> {});
    }

    /**
     * Understands the words that services are started with: {@code run}, {@code run --config FILE}. They are understood without
     * picocli, which begins by looking at every command by reflection and by setting up the whole of Groovy, as that is on the
     * class path: a good part of the CPU time to the first request. All other words, and all help, are picocli's.
     *
     * @return the configuration that these words mean; null if they may mean anything else than a plain {@code run}
     */
    static @Nullable ConfigOption plain(String... args) {
        if (args.length == 0 || !args[0].equals("run")) {
            return null;
        }
        if (args.length == 1) {
            return new ConfigOption();
        }
        boolean named = args[1].equals("--config") || args[1].equals("-c");
        // Not an option, and not one of picocli's files of arguments.
        return args.length == 3 && named && args[2].matches("[^-@].*") ? ConfigOption.of(Path.of(args[2])) : null;
    }
}
