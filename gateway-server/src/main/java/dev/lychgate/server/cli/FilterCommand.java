package dev.lychgate.server.cli;

import dev.lychgate.server.terminal.ChangeText;
import dev.lychgate.server.terminal.JsonValue;
import java.util.List;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code filter}: leaves a filter of a running gateway out. */
@Command(
        name = "filter",
        description = "Leaves a filter of a running gateway out until it ends, or lets it run again.",
        footer = {"  lychgate filter inbound Quota --disable", "  lychgate filter inbound Quota --enable"})
final class FilterCommand extends AdminCommand {
    @Parameters(index = "0", paramLabel = "PHASE", description = "inbound, endpoint, error or outbound.")
    private String phase = "";

    @Parameters(index = "1", paramLabel = "NAME", description = "Its name; see /filters of the admin listener.")
    private String name = "";

    @ArgGroup(exclusive = true, multiplicity = "1")
    private State state = new State();

    @Option(names = "--force", description = "With --disable: also one that protects something, as it fails closed.")
    private boolean force;

    /** One of them. */
    private static final class State {
        @Option(names = "--disable", description = "Exchanges go on without it.")
        private boolean disable;

        @Option(names = "--enable", description = "It runs again.")
        private boolean enable;

        private String word() {
            if (disable) {
                return "disabled";
            }
            if (enable) {
                return "enabled";
            }
            throw new IllegalStateException("a group without any of its options");
        }
    }

    FilterCommand(Surroundings surroundings, ConfigOption outer) {
        super(surroundings, outer);
    }

    @Override
    String target() {
        return "/filters?phase=" + encoded(phase) + "&name=" + encoded(name) + "&state=" + state.word()
                + (force ? "&force=true" : "");
    }

    @Override
    String told(String problem) {
        return problem.replace("force=true", "--force");
    }

    @Override
    List<String> lines(Surroundings around, JsonValue response) {
        return ChangeText.filters(response);
    }
}
