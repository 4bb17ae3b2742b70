package dev.lychgate.server.cli;

import dev.lychgate.server.terminal.ChangeText;
import dev.lychgate.server.terminal.JsonValue;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code breaker}: holds a circuit of a running gateway. */
@Command(
        name = "breaker",
        description =
                "Holds a circuit breaker of a running gateway open or closed until it ends, or lets it decide again.",
        footer = {"  lychgate breaker api --open", "  lychgate breaker api 10.0.0.1:9000 --auto"})
final class BreakerCommand extends AdminCommand {
    @Parameters(index = "0", paramLabel = "UPSTREAM", description = "The name of its upstream.")
    private String upstream = "";

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "ENDPOINT",
            description = "Its HOST:PORT, where each endpoint has a circuit of its own.")
    private @Nullable String endpoint;

    @ArgGroup(exclusive = true, multiplicity = "1")
    private State state = new State();

    /** One of them. */
    private static final class State {
        @Option(names = "--open", description = "Nothing is sent.")
        private boolean open;

        @Option(names = "--close", description = "Everything is sent, whatever becomes of it.")
        private boolean close;

        @Option(names = "--auto", description = "It decides for itself.")
        private boolean auto;

        private String word() {
            if (open) {
                return "force-open";
            }
            if (close) {
                return "force-closed";
            }
            if (auto) {
                return "auto";
            }
            throw new IllegalStateException("a group without any of its options");
        }
    }

    BreakerCommand(Surroundings surroundings, ConfigOption outer) {
        super(surroundings, outer);
    }

    @Override
    String target() {
        return "/breakers?upstream=" + encoded(upstream)
                + (endpoint == null ? "" : "&endpoint=" + encoded(endpoint))
                + "&state=" + state.word();
    }

    @Override
    List<String> lines(Surroundings around, JsonValue response) {
        return ChangeText.breaker(response);
    }
}
