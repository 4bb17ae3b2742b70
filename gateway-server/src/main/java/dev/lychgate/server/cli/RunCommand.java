package dev.lychgate.server.cli;

import dev.lychgate.config.FleetConfig;
import dev.lychgate.config.GatewayConfig;
import dev.lychgate.server.applog.LogSetup;
import dev.lychgate.server.engine.RunningGateway;
import dev.lychgate.server.engine.StartException;
import dev.lychgate.server.handover.ActivationSockets;
import dev.lychgate.server.handover.Predecessor;
import dev.lychgate.server.yaml.ConfigReader;
import dev.lychgate.server.yaml.FaultyConfigException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code run}: serves until it is stopped, then drains. */
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
        selectRelease(surroundings, config);
        GatewayConfig settings = config.load(surroundings).config();
        LogSetup.apply(settings.log());
        Path file = config.file(surroundings);
        int activated = activationSockets(surroundings);
        Predecessor predecessor = predecessor(surroundings);
        return Service.serve(
                surroundings,
                () -> surroundings.engine().start(file, surroundings.environment(), settings),
                gateway -> {
                    if (activated > 0) {
                        ActivationSockets.closeUnused();
                    }
                    gateway.onSettings(changed -> LogSetup.apply(changed.log()));
                    Service.allowUpgrades(surroundings, gateway, file);
                    takeOver(predecessor, gateway);
                },
                () -> {});
    }

    private static void takeOver(Predecessor predecessor, RunningGateway gateway) {
        try {
            if (!predecessor.takeOver(gateway::sockets)) {
                gateway.drain(Duration.ZERO);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static int activationSockets(Surroundings surroundings) throws StartException {
        try {
            return ActivationSockets.receive(surroundings.environment()::get);
        } catch (IOException e) {
            throw new StartException("can't use the sockets of the service manager: " + e.getMessage());
        }
    }

    private static Predecessor predecessor(Surroundings surroundings) throws StartException, InterruptedException {
        try {
            return Predecessor.receive(surroundings.environment().get(Predecessor.VARIABLE));
        } catch (IOException e) {
            throw new StartException("can't take over the listening sockets of the old process: " + e.getMessage());
        }
    }

    /**
     * If the gateway is a node of a fleet, selects the release with which it starts. The configuration includes the
     * files of this release, so the selection must precede the reading of the configuration.
     */
    private static void selectRelease(Surroundings surroundings, ConfigOption config)
            throws FaultyConfigException, StartException {
        FleetConfig fleet = ConfigReader.fleet(config.file(surroundings), surroundings.environment());
        if (fleet == null) {
            return;
        }
        FirstRelease.select(fleet);
    }

    /**
     * Parses the common arguments {@code run} and {@code run --config FILE} without picocli. Picocli inspects all
     * commands by reflection and initializes Groovy. Both steps together take a large part of the CPU time until the
     * first request. Picocli parses all other arguments and prints all help.
     *
     * @return the configuration option of these arguments; null if picocli has to parse them
     */
    static @Nullable ConfigOption plain(String... args) {
        if (args.length == 0 || !args[0].equals("run")) {
            return null;
        }
        if (args.length == 1) {
            return new ConfigOption();
        }
        boolean named = args[1].equals("--config") || args[1].equals("-c");
        // The value must be neither an option nor one of picocli's argument files.
        return args.length == 3 && named && args[2].matches("[^-@].*") ? ConfigOption.of(Path.of(args[2])) : null;
    }
}
