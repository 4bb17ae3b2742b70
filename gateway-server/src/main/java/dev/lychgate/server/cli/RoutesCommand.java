package dev.lychgate.server.cli;

import dev.lychgate.config.GatewayConfig;
import dev.lychgate.server.engine.StartException;
import dev.lychgate.server.explain.Inquiry;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code routes}: says which route and which filters a request would meet, without sending it. */
@Command(
        name = "routes",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description = "Says which route a request would meet, why, and which filters.")
final class RoutesCommand implements Callable<Integer> {
    private final Surroundings surroundings;

    @Mixin
    private final ConfigOption config;

    @Parameters(index = "0", paramLabel = "METHOD", description = "The method, such as GET.")
    private String method = "";

    @Parameters(index = "1", paramLabel = "URL", description = "The URL, or a path that begins with /.")
    private String url = "";

    RoutesCommand(Surroundings surroundings, ConfigOption outer) {
        this.surroundings = surroundings;
        this.config = new ConfigOption(outer);
    }

    @Override
    public Integer call() throws Exception {
        GatewayConfig settings = config.load(surroundings).config();
        Inquiry inquiry = inquiry();
        List<String> lines =
                surroundings.engine().explain(config.file(surroundings), surroundings.environment(), settings, inquiry);
        for (String line : lines) {
            surroundings.out().println(line);
        }
        return 0;
    }

    private Inquiry inquiry() throws StartException {
        try {
            return Inquiry.parse(method, url);
        } catch (IllegalArgumentException e) {
            throw new StartException(method + " " + url + " (expected: " + e.getMessage() + ")");
        }
    }
}
