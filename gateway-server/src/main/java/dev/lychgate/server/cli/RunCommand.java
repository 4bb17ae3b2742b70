package dev.lychgate.server.cli;

import dev.lychgate.config.GatewayConfig;
import dev.lychgate.server.applog.LogSetup;
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
}
