package dev.lychgate.server.cli;

import dev.lychgate.config.GatewayConfig;
import dev.lychgate.server.explain.Explanation;
import dev.lychgate.server.explain.ExplanationJson;
import dev.lychgate.server.explain.Inquiry;
import dev.lychgate.server.json.JsonText;
import dev.lychgate.server.terminal.ExplanationText;
import dev.lychgate.server.terminal.JsonValue;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code routes}: shows which route and filters would apply to a request, without sending it. */
@Command(
        name = "routes",
        description = "Prints which route and filters of the configuration apply to a request, and why.",
        footer = {"  lychgate routes GET /api/orders", "  lychgate routes --json POST https://shop.example/cart"})
final class RoutesCommand extends SubCommand {
    @Mixin
    private final ConfigOption config = new ConfigOption();

    @Mixin
    private final JsonOption json = new JsonOption();

    @Parameters(index = "0", paramLabel = "METHOD", description = "The method, such as GET.")
    private String method = "";

    @Parameters(index = "1", paramLabel = "URL", description = "The URL, or a path that begins with /.")
    private String url = "";

    @Override
    public Integer call() throws Exception {
        Inquiry inquiry = inquiry();
        Surroundings surroundings = surroundings();
        ConfigOption given = config.or(outer());
        GatewayConfig settings = given.load(surroundings).config();
        Explanation explanation =
                surroundings.engine().explain(given.file(surroundings), surroundings.environment(), settings, inquiry);
        String text = JsonText.of(generator -> ExplanationJson.SHAPE.write(generator, explanation));
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
