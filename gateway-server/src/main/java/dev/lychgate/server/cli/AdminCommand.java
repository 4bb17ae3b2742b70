package dev.lychgate.server.cli;

import dev.lychgate.server.engine.StartException;
import dev.lychgate.server.terminal.ChangeText;
import dev.lychgate.server.terminal.JsonValue;
import dev.lychgate.server.terminal.Printable;
import java.io.IOException;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** What is asked of a running gateway, by its admin listener. */
abstract class AdminCommand implements Callable<Integer> {
    private final Surroundings surroundings;

    @Mixin
    private final AdminOption admin;

    @Mixin
    private final JsonOption json = new JsonOption();

    AdminCommand(Surroundings surroundings, ConfigOption outer) {
        this.surroundings = surroundings;
        this.admin = new AdminOption(outer);
    }

    /** What is asked for. */
    abstract String target();

    /** POST changes something, GET does not. */
    String method() {
        return "POST";
    }

    /** Renders a successful response for a terminal. */
    abstract List<String> lines(Surroundings around, JsonValue response);

    /** What is said of a problem, in the words of a command. */
    String told(String problem) {
        return problem;
    }

    @Override
    public Integer call() throws Exception {
        HttpResponse<String> response = admin.gateway(surroundings).ask(method(), target());
        boolean accepted = response.statusCode() == 200;
        if (json.isGiven()) {
            surroundings.out().println(Printable.ascii(response.body().strip()));
        } else if (accepted) {
            lines(surroundings, read(response.body())).forEach(surroundings.out()::println);
        } else {
            Problem.lines(response.body()).forEach(line -> surroundings.err().println(Printable.escaped(told(line))));
        }
        return accepted ? ExitCode.OK : ExitCode.FAILED;
    }

    private static JsonValue read(String response) throws StartException {
        try {
            return JsonValue.of(response);
        } catch (IOException e) {
            throw new StartException("the response is not JSON: " + Printable.escaped(response.strip())
                    + "; is it the admin listener of a gateway?");
        }
    }

    /** A value of a parameter. */
    static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /** {@code reload}: has a running gateway read its files anew. */
    @Command(
            name = "reload",
            description = "Makes a running gateway read its configuration and filters, and prints the result.",
            footer = {"  lychgate reload", "  lychgate reload --config config/gateway.yml --json"})
    static final class Reload extends AdminCommand {
        Reload(Surroundings surroundings, ConfigOption outer) {
            super(surroundings, outer);
        }

        @Override
        String target() {
            return "/reload";
        }

        @Override
        List<String> lines(Surroundings around, JsonValue response) {
            return ChangeText.generations(response);
        }
    }

    /** {@code rollback}: has a running gateway go back to an earlier generation. */
    @Command(
            name = "rollback",
            description =
                    "Makes a running gateway go back to an earlier generation, which holds until a reload is asked for.",
            footer = {"  lychgate rollback 4"})
    static final class Rollback extends AdminCommand {
        @Parameters(paramLabel = "GENERATION", description = "Its number; see /generations of the admin listener.")
        private long generation;

        Rollback(Surroundings surroundings, ConfigOption outer) {
            super(surroundings, outer);
        }

        @Override
        String target() {
            return "/rollback?generation=" + generation;
        }

        @Override
        List<String> lines(Surroundings around, JsonValue response) {
            return ChangeText.generations(response);
        }
    }
}
