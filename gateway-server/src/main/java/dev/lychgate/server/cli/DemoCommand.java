package dev.lychgate.server.cli;

import dev.lychgate.config.GatewayConfig;
import dev.lychgate.server.engine.StartException;
import dev.lychgate.server.origin.DemoOrigin;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code demo}: a gateway in front of two embedded origins, all on loopback, nothing to configure. */
@Command(
        name = "demo",
        description = "Serves in front of embedded origins and prints what to try.",
        footer = {"  lychgate demo", "  lychgate demo --port 9090 --admin-port 9091"})
final class DemoCommand implements Callable<Integer> {
    private final Surroundings surroundings;

    @Option(names = "--port", defaultValue = "8080", description = "The port; 0 = any. Default: ${DEFAULT-VALUE}")
    private int port;

    @Option(
            names = "--admin-port",
            defaultValue = "8081",
            description = "The admin listener's port; 0 = any. Default: ${DEFAULT-VALUE}")
    private int adminPort;

    DemoCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() throws Exception {
        DemoOrigin first = origin("demo-1");
        DemoOrigin second = origin("demo-2");
        try {
            GatewayConfig config = DemoConfig.of(port, adminPort, List.of(first.port(), second.port()));
            return Service.serve(
                    surroundings,
                    config,
                    gateway -> {
                        invite(Service.print(gateway.listeners().get(0).address()));
                        watch(gateway.admin());
                        surroundings.out().println("Stop with Ctrl-C.");
                    },
                    () -> {
                        first.close();
                        second.close();
                    });
        } catch (IllegalArgumentException e) {
            throw new UsageException(String.valueOf(e.getMessage()));
        } finally {
            first.close();
            second.close();
        }
    }

    private static DemoOrigin origin(String name) throws StartException {
        return OriginCommand.start(new DemoOrigin.Settings(name, "127.0.0.1", 0, 1));
    }

    private void invite(String address) {
        String url = "http://" + address;
        surroundings.out().println("Try:");
        surroundings.out().println("  curl -i " + url + "/");
        surroundings.out().println("  curl -sN '" + url + "/events?count=5'");
        surroundings.out().println("  npx wscat -c ws://" + address + "/ws");
        surroundings.out().println("  curl -s --data-binary @/bin/sh " + url + "/upload");
        surroundings.out().println("  curl -i " + url + "/old/page");
        surroundings.out().println("  curl -s '" + url + "/download?length=1073741824' | sha256sum");
    }

    private void watch(@Nullable InetSocketAddress admin) {
        if (admin != null) {
            surroundings.out().println("And watch it:");
            surroundings.out().println("  http://" + Service.print(admin) + "/dashboard");
            surroundings.out().println("  bin/lychgate top --admin " + Service.print(admin));
        }
    }
}
