package dev.lychgate.server.cli;

import dev.lychgate.server.terminal.ExplanationText;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code explain}: explains how a running gateway would handle a request. */
@Command(
        name = "explain",
        description =
                "Explains which route and filters of a running gateway apply to a request, and why other routes and"
                        + " filters do not. The command 'routes' reads the files instead.",
        footer = {
            "  lychgate explain GET /api/orders",
            "  lychgate explain GET https://shop.example/cart -H x-beta:yes --client 10.0.0.7"
        })
final class ExplainCommand extends AdminCommand {
    @Parameters(index = "0", paramLabel = "METHOD", description = "The method, such as GET.")
    private String method = "";

    @Parameters(index = "1", paramLabel = "URL", description = "The URL, or a path that begins with /.")
    private String url = "";

    @Option(
            names = {"-H", "--header"},
            paramLabel = "NAME:VALUE",
            description = "A header field; may be repeated.")
    private List<String> headers = List.of();

    @Option(names = "--client", paramLabel = "IP", description = "The client's address; default the loopback.")
    private @Nullable String client;

    @Option(names = "--listener", paramLabel = "NAME", description = "The listener; default the first.")
    private @Nullable String listener;

    ExplainCommand() {
        super("GET", ExplanationText::lines);
    }

    @Override
    String target() {
        return target(
                "/explain", "method", method, "url", url, "header", headers, "client", client, "listener", listener);
    }
}
