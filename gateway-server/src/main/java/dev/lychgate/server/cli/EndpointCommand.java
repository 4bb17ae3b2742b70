package dev.lychgate.server.cli;

import dev.lychgate.config.EndpointConfig;
import dev.lychgate.server.terminal.ChangeText;
import dev.lychgate.server.terminal.JsonValue;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code endpoint}: changes an endpoint of a running gateway. */
@Command(
        name = "endpoint",
        description = "Drains, disables, enables or weighs an endpoint of a running gateway, until it ends.",
        footer = {
            "  lychgate endpoint api 10.0.0.1:9000 --drain",
            "  lychgate endpoint api 10.0.0.1:9000 --enable --weight 5"
        })
final class EndpointCommand extends AdminCommand {
    @Parameters(index = "0", paramLabel = "UPSTREAM", description = "The name of its upstream.")
    private String upstream = "";

    @Parameters(
            index = "1",
            paramLabel = "ENDPOINT",
            description = "Its HOST:PORT; see /upstreams of the admin listener.")
    private String endpoint = "";

    @ArgGroup(exclusive = false, multiplicity = "1")
    private @Nullable Change change;

    /** At least one of the two. */
    private static final class Change {
        @ArgGroup(exclusive = true)
        private @Nullable State state;

        @Option(
                names = "--weight",
                paramLabel = "N",
                description = "Its weight, up to " + EndpointConfig.MAX_WEIGHT + "; 0 = the configured one.")
        private @Nullable Integer weight;
    }

    /** At most one of them. */
    private static final class State {
        @Option(names = "--drain", description = "It gets nothing new, and serves those who are bound to it.")
        private boolean drain;

        @Option(names = "--disable", description = "It gets nothing.")
        private boolean disable;

        @Option(names = "--enable", description = "It takes part again.")
        private boolean enable;

        private String word() {
            if (drain) {
                return "draining";
            }
            if (disable) {
                return "disabled";
            }
            if (enable) {
                return "enabled";
            }
            throw new IllegalStateException("a group without any of its options");
        }
    }

    EndpointCommand(Surroundings surroundings, ConfigOption outer) {
        super(surroundings, outer);
    }

    @Override
    String target() {
        StringBuilder target = new StringBuilder("/upstreams/endpoint?upstream=")
                .append(encoded(upstream))
                .append("&endpoint=")
                .append(encoded(endpoint));
        if (change != null && change.state != null) {
            target.append("&state=").append(change.state.word());
        }
        if (change != null && change.weight != null) {
            target.append("&weight=").append(change.weight);
        }
        return target.toString();
    }

    @Override
    List<String> lines(Surroundings around, JsonValue response) {
        return ChangeText.endpoint(response);
    }
}
