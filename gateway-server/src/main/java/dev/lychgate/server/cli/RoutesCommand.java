package dev.lychgate.server.cli;

import dev.lychgate.config.GatewayConfig;
import dev.lychgate.server.explain.Explanation;
import dev.lychgate.server.explain.ExplanationJson;
import dev.lychgate.server.explain.Inquiry;
import dev.lychgate.server.json.JsonText;
import dev.lychgate.server.terminal.ExplanationText;
import dev.lychgate.server.terminal.JsonValue;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code routes}: says which route and which filters a request would meet, without sending it. */
@Command(
        name = "routes",
        description = "Says which route a request would meet, why, and which filters.",
        footer = {"  lychgate routes GET /api/orders", "  lychgate routes --json POST https://shop.example/cart"})
final class RoutesCommand implements Callable<Integer> {
    private final Surroundings surroundings;

    @Mixin
    private final ConfigOption config;

    @Mixin
    private final JsonOption json = new JsonOption();

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
        Inquiry inquiry = inquiry();
        GatewayConfig settings = config.load(surroundings).config();
        Explanation explanation =
                surroundings.engine().explain(config.file(surroundings), surroundings.environment(), settings, inquiry);
        String text = JsonText.of(generator -> {
            generator.writeStartObject();
            ExplanationJson.fields(generator, explanation);
            generator.writeEndObject();
        });
        if (json.isGiven()) {
            surroundings.out().println(text);
        } else {
            ExplanationText.lines(JsonValue.of(text)).forEach(surroundings.out()::println);
        }
        return ExitCode.OK;
    }

    private Inquiry inquiry() throws UsageException {
        try {
            return Inquiry.parse(method, url);
        } catch (IllegalArgumentException e) {
            throw new UsageException(method + " " + url + " (expected: " + e.getMessage() + ")");
        }
    }
}
