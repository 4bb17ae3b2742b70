package dev.lychgate.server.cli;

import dev.lychgate.config.GatewayConfig;
import dev.lychgate.server.applog.LogSetup;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code run}: serves until it is told to stop, then drains. */
@Command(
        name = "run",
        description = "Serves until SIGTERM or SIGINT, then drains.",
        footer = {"  lychgate run", "  lychgate run --config config/gateway.yml"})
final class RunCommand implements Callable<Integer> {
    private final Surroundings surroundings;

    @Mixin
    private final ConfigOption config;

    RunCommand(Surroundings surroundings, ConfigOption outer) {
        this.surroundings = surroundings;
        this.config = new ConfigOption(outer);
    }

    @Override
    public Integer call() throws Exception {
        GatewayConfig settings = config.load(surroundings).config();
        LogSetup.apply(settings.log());
        return Service.serve(
                surroundings,
                settings,
                () -> surroundings.engine().start(config.file(surroundings), surroundings.environment(), settings),
                gateway -> {},
                () -> {});
    }
}
