package dev.lychgate.server.cli;

import dev.lychgate.server.engine.StartException;
import dev.lychgate.server.origin.DemoOrigin;
import java.io.UncheckedIOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code origin}: runs the test origin alone. */
@Command(
        name = "origin",
        description = "Serves the test origin alone: ?length=, ?delay=, ?dither=, ?status=, ?chunked=, ?close=,"
                + " /echo, /headers, /upload, /events, /count.",
        footer = {"  lychgate origin", "  lychgate origin --port 9000 --address 0.0.0.0 --name blue"})
final class OriginCommand extends SubCommand {
    @Option(
            names = "--port",
            defaultValue = "9000",
            description = "The port; 0 = any free port. Default: ${DEFAULT-VALUE}")
    private int port;

    @Option(
            names = "--address",
            defaultValue = "127.0.0.1",
            description = "The address to bind. Default: ${DEFAULT-VALUE}")
    private String address = "";

    @Option(
            names = "--threads",
            defaultValue = "0",
            description = "The number of event loops; default 0 = one per CPU.")
    private int threads;

    @Option(
            names = "--name",
            defaultValue = "origin",
            description = "The origin's name in its responses. Default: ${DEFAULT-VALUE}")
    private String name = "";

    @Override
    public Integer call() throws Exception {
        DemoOrigin origin = start(settings());
        surroundings().onShutdown().accept(Service.shutdown(() -> {
            origin.close();
            return 0;
        }));
        print("origin on http://" + Service.print(origin.address()));
        origin.awaitClosed();
        return 0;
    }

    private DemoOrigin.Settings settings() throws UsageException {
        try {
            return new DemoOrigin.Settings(name, address, port, threads);
        } catch (IllegalArgumentException e) {
            throw new UsageException(String.valueOf(e.getMessage()));
        }
    }

    static DemoOrigin start(DemoOrigin.Settings settings) throws StartException {
        try {
            return DemoOrigin.start(settings);
        } catch (UncheckedIOException e) {
            String where = settings.address() + ":" + settings.port();
            Throwable cause = e.getCause();
            throw StartException.unbound("origin", where, cause == null ? e : cause);
        } catch (IllegalArgumentException e) {
            // The address is malformed, or its host name can't be resolved.
            throw StartException.unbound("origin", settings.address() + ":" + settings.port(), e);
        }
    }
}
