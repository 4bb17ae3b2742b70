package dev.lychgate.server.cli;

import dev.lychgate.server.engine.StartException;
import dev.lychgate.server.terminal.Printable;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** What is asked of a running gateway, by its admin listener. */
abstract class AdminCommand implements Callable<Integer> {
    private final Surroundings surroundings;

    @Mixin
    private final AdminOption admin;

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

    /** Prints what was answered. @throws StartException if it can't be understood */
    void show(Surroundings around, String answer) throws StartException {
        around.out().println(Printable.ascii(answer));
    }

    /** What is said of a problem, in the words of a command. */
    String told(String problem) {
        return problem;
    }

    @Override
    public Integer call() throws Exception {
        HttpResponse<String> answer = admin.gateway(surroundings).ask(method(), target());
        if (answer.statusCode() == 200) {
            show(surroundings, answer.body().strip());
            return 0;
        }
        Problem.lines(answer.body()).forEach(line -> surroundings.err().println(Printable.escaped(told(line))));
        return 1;
    }

    /** A value of a parameter. */
    static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /** {@code reload}: has a running gateway read its files anew. */
    @Command(
            name = "reload",
            mixinStandardHelpOptions = true,
            versionProvider = Version.class,
            description = "Has a running gateway read its configuration and filters anew, and says what came of it.")
    static final class Reload extends AdminCommand {
        Reload(Surroundings surroundings, ConfigOption outer) {
            super(surroundings, outer);
        }

        @Override
        String target() {
            return "/reload";
        }
    }

    /** {@code rollback}: has a running gateway go back to an earlier generation. */
    @Command(
            name = "rollback",
            mixinStandardHelpOptions = true,
            versionProvider = Version.class,
            description =
                    "Has a running gateway go back to an earlier generation; the files are followed again when they"
                            + " change.")
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
    }
}
