package dev.lychgate.server.cli;

import dev.lychgate.config.BindAddress;
import dev.lychgate.config.GatewayConfig;
import dev.lychgate.server.applog.LogSetup;
import dev.lychgate.server.demo.Demo;
import dev.lychgate.server.yaml.Environment;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code demo}: starts embedded origins that fail at times, and a gateway in front of these origins. The gateway
 * applies changes of the demo's files.
 */
@Command(
        name = "demo",
        description = "Runs a gateway with light traffic in front of embedded origins, and prints commands to try.",
        footer = {
            "  lychgate demo",
            "  lychgate demo --directory my-demo --traffic off",
            "  lychgate demo --port 9090 --admin-port 9091"
        })
final class DemoCommand extends SubCommand {
    @Option(
            names = "--traffic",
            paramLabel = "on|off",
            defaultValue = "on",
            description = "Whether the demo sends requests to itself, 10 per second. Default: ${DEFAULT-VALUE}")
    private String traffic = "";

    @Option(
            names = "--directory",
            paramLabel = "DIR",
            description =
                    "The directory of the configuration and the filters. Existing files are used and never overwritten."
                            + " Default: a temporary directory, which is removed at the end")
    private @Nullable Path directory;

    @Option(
            names = "--port",
            defaultValue = "8080",
            description = "The gateway's port; 0 = any free port. Default: ${DEFAULT-VALUE}")
    private int port;

    @Option(
            names = "--admin-port",
            defaultValue = "8081",
            description = "The admin listener's port; 0 = any free port. Default: ${DEFAULT-VALUE}")
    private int adminPort;

    @Override
    public Integer call() throws Exception {
        boolean drives = hasTraffic();
        requirePort(port);
        requirePort(adminPort);
        try (Demo demo = Demo.start(directory, port, adminPort, System::nanoTime)) {
            Environment environment = demo.environment(surroundings().environment());
            GatewayConfig config = ConfigOption.of(demo.config())
                    .load(surroundings().with(environment))
                    .config();
            LogSetup.apply(config.log());
            return Service.serve(
                    surroundings(),
                    () -> surroundings().engine().start(demo.config(), environment, config),
                    gateway -> {
                        new DemoInvitation(surroundings().out(), demo).print(gateway, drives);
                        if (drives) {
                            demo.drive(gateway);
                        }
                    },
                    demo::close);
        }
    }

    private boolean hasTraffic() throws UsageException {
        return switch (traffic) {
            case "on" -> true;
            case "off" -> false;
            default -> throw new UsageException("--traffic: " + traffic + " (expected: on or off)");
        };
    }

    private static void requirePort(int port) throws UsageException {
        try {
            new BindAddress("127.0.0.1", port);
        } catch (IllegalArgumentException e) {
            throw new UsageException(String.valueOf(e.getMessage()));
        }
    }
}
