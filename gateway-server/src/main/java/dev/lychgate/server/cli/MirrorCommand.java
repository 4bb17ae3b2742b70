package dev.lychgate.server.cli;

import dev.lychgate.server.terminal.MirrorText;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code mirror}: shows how the responses to copied requests differ from the responses that clients received. */
@Command(
        name = "mirror",
        description =
                "Prints how the responses to copied requests differ from the responses of the routes' own upstreams.",
        footer = {"  lychgate mirror", "  lychgate mirror --examples --route api", "  lychgate mirror --reset"})
final class MirrorCommand extends AdminCommand {
    @Option(names = "--route", paramLabel = "ID", description = "Prints only the mirror of this route.")
    private @Nullable String route;

    @Option(
            names = "--examples",
            description = "Adds examples of every difference. Needs the role recorder, because the examples contain"
                    + " data of clients.")
    private boolean examples;

    @Option(names = "--reset", description = "Discards all differences found so far.")
    private boolean reset;

    MirrorCommand() {
        super("GET", MirrorText::lines);
    }

    @Override
    String method() {
        return reset ? "POST" : super.method();
    }

    @Override
    String target() throws UsageException {
        if (reset && (examples || route != null)) {
            throw new UsageException("mirror --reset (expected: neither --examples nor --route)");
        }
        return reset ? "/mirrors/reset" : target(examples ? "/mirrors/examples" : "/mirrors", "route", route);
    }
}
