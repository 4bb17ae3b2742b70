package dev.lychgate.server.cli;

import dev.lychgate.server.engine.StartException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** What is asked of a running gateway, by its admin listener. */
abstract class AdminCommand implements Callable<Integer> {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Surroundings surroundings;

    @Mixin
    private final AdminOption admin;

    AdminCommand(Surroundings surroundings, ConfigOption outer) {
        this.surroundings = surroundings;
        this.admin = new AdminOption(outer);
    }

    /** The target of the POST. */
    abstract String target();

    @Override
    public Integer call() throws Exception {
        String address = admin.address(surroundings);
        try {
            HttpResponse<String> answer = HttpClient.newHttpClient()
                    .send(
                            HttpRequest.newBuilder(URI.create("http://" + address + target()))
                                    .timeout(PATIENCE)
                                    .header("x-lychgate-admin", "cli")
                                    .POST(HttpRequest.BodyPublishers.noBody())
                                    .build(),
                            HttpResponse.BodyHandlers.ofString());
            if (answer.statusCode() == 200) {
                surroundings.out().println(answer.body().strip());
                return 0;
            }
            Problem.lines(answer.body()).forEach(surroundings.err()::println);
            return 1;
        } catch (IOException | IllegalArgumentException e) {
            throw new StartException("no gateway answers at " + address + ": " + e);
        }
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
