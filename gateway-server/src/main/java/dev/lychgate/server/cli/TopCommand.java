package dev.lychgate.server.cli;

import dev.lychgate.server.engine.StartException;
import dev.lychgate.server.json.JsonObject;
import dev.lychgate.server.json.JsonText;
import dev.lychgate.server.terminal.FleetFrame;
import dev.lychgate.server.terminal.Frame;
import dev.lychgate.server.terminal.JsonValue;
import dev.lychgate.server.terminal.Pages;
import dev.lychgate.server.terminal.Printable;
import dev.lychgate.server.terminal.Screen;
import dev.lychgate.server.terminal.TopFrame;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code top}: shows the state of a running gateway, refreshed every few seconds until it is stopped. */
@Command(
        name = "top",
        description = "Shows the traffic and the problems of a running gateway until Ctrl-C. If its output"
                + " is not a terminal, it prints plain frames one after the other.",
        footer = {
            "  lychgate top",
            "  lychgate top --fleet",
            "  lychgate top --once --json",
            "  lychgate top --admin 10.0.0.5:8081 --interval 5"
        })
final class TopCommand extends SubCommand {
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final int LONGEST_INTERVAL = 3600;

    private final CountDownLatch stopped = new CountDownLatch(1);

    @Mixin
    private final AdminOption admin = new AdminOption();

    @Option(
            names = "--interval",
            paramLabel = "SECONDS",
            defaultValue = "2",
            description = "The seconds between two frames, 1 to " + LONGEST_INTERVAL + ". Default: ${DEFAULT-VALUE}")
    private int interval;

    @Option(names = "--once", description = "Prints one plain frame; exit code 1 if no gateway responds.")
    private boolean once;

    @Option(names = "--fleet", description = "Shows all nodes of the fleet to which the gateway belongs.")
    private boolean fleet;

    @Mixin
    private final JsonOption json = new JsonOption();

    /** The time at which the gateway became unreachable; null while it responds. */
    private @Nullable Instant gone;

    @Override
    public Integer call() throws Exception {
        if (interval < 1 || interval > LONGEST_INTERVAL) {
            throw new UsageException("--interval: " + interval + " (expected: 1 to " + LONGEST_INTERVAL + " seconds)");
        }
        AdminClient client = admin.client(surroundings(), outer(), PATIENCE);
        if (json.isGiven()) {
            // Each round prints one line with one JSON object. Its members are the pages of the admin listener.
            print(() -> print(json(client, paths())));
        } else if (once) {
            printOnce(client);
        } else if (TerminalSize.isTerminal()
                && !"dumb".equals(surroundings().environment().get("TERM"))) {
            drawUntilStopped(client);
        } else {
            print(() -> {
                print(Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
                print(frame(client, Look.at(client, paths())));
                print("");
            });
        }
        return 0;
    }

    private List<String> paths() {
        return fleet ? FleetFrame.PATHS : TopFrame.PATHS;
    }

    /**
     * Reads several pages in sequence.
     *
     * @return a JSON object on one line with a member for each path
     * @throws StartException if no response arrives, or if a response is not a page of an admin listener
     */
    private static String json(AdminClient client, List<String> paths) throws StartException, InterruptedException {
        JsonObject pages = new JsonObject();
        for (String path : paths) {
            HttpResponse<String> response = client.ask("GET", path);
            // /ready is 503 with a reason while the gateway is not ready.
            if (response.statusCode() != 200 && response.statusCode() != 503) {
                throw new StartException(path + ": " + response.statusCode() + " "
                        + Printable.escaped(String.join(" ", AdminClient.problem(response.body()))));
            }
            String page = json(path, response.body());
            JsonText.Content content = json -> json.writeRawValue(page);
            pages.with(path, content);
        }
        return JsonText.of(pages);
    }

    private static String json(String path, String body) throws StartException {
        try {
            JsonValue.of(body);
            return Printable.ascii(body.strip()).replace("\n", " ");
        } catch (IOException e) {
            throw new StartException(path + ": the response is not JSON; is it the admin listener of a gateway?");
        }
    }

    private void printOnce(AdminClient client) throws StartException, InterruptedException {
        Look look = Look.at(client, paths());
        // The first traffic page has no rates, because rates need an earlier page to compare with. So a second page is
        // read.
        if (!fleet
                && look instanceof Look.Seen first
                && first.pages().get("/traffic").number("seconds") == 0) {
            stopped.await(1, TimeUnit.SECONDS);
            look = Look.at(client, paths());
        }
        if (look instanceof Look.Gone none) {
            throw new StartException(none.why());
        }
        print(frame(client, look));
    }

    /**
     * Prints the state of the gateway one time, or repeatedly at the configured interval. The repetition ends when the
     * process is stopped or the reader of the output ends, as in {@code top | head}.
     */
    private void print(Printer printer) throws StartException, InterruptedException {
        surroundings().onShutdown().accept(new Thread(stopped::countDown, "top-end"));
        do {
            printer.print();
            // checkError() flushes.
        } while (!surroundings().out().checkError() && !once && !stopped.await(interval, TimeUnit.SECONDS));
    }

    private interface Printer {
        void print() throws StartException, InterruptedException;
    }

    private void print(Frame frame) {
        int width = TerminalSize.columns(surroundings().environment());
        frame.lines(width, Integer.MAX_VALUE, false).forEach(surroundings().out()::println);
        surroundings().out().flush();
    }

    private void drawUntilStopped(AdminClient client) throws StartException, InterruptedException {
        String noColour = surroundings().environment().get("NO_COLOR");
        boolean colour = noColour == null || noColour.isEmpty();
        try (Screen screen = new Screen(surroundings().out())) {
            surroundings().onShutdown().accept(new Thread(() -> end(screen), "top-end"));
            do {
                Frame frame = frame(client, Look.at(client, paths()));
                TerminalSize size = TerminalSize.ofTerminal(surroundings().environment());
                screen.draw(frame.lines(size.columns(), size.lines(), colour));
            } while (!stopped.await(interval, TimeUnit.SECONDS));
        }
    }

    /** Stops the command and restores the terminal. */
    private void end(Screen screen) {
        stopped.countDown();
        screen.close();
    }

    /**
     * Returns the content of the screen for the result of a request to the gateway.
     *
     * @throws StartException if the gateway denied access, so that a retry is pointless
     */
    private Frame frame(AdminClient client, Look look) throws StartException {
        if (look instanceof Look.Refused refused) {
            throw new StartException(refused.why());
        }
        if (look instanceof Look.Gone none) {
            gone = gone == null ? Instant.now().truncatedTo(ChronoUnit.SECONDS) : gone;
            return TopFrame.gone(client.url(), gone.toString(), none.why());
        }
        gone = null;
        Pages pages = ((Look.Seen) look).pages();
        return fleet ? FleetFrame.of(client.url(), pages) : TopFrame.of(client.url(), pages);
    }
}
