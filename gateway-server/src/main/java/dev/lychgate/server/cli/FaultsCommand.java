package dev.lychgate.server.cli;

import dev.lychgate.server.terminal.FaultsText;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code faults}: lists, injects and stops faults. */
@Command(
        name = "faults",
        description = {
            "Lists, injects or stops the faults of a rehearsal on a running gateway.",
            "list shows the active faults. inject adds a fault that ends by itself, and stop ends a fault before it"
                    + " expires."
        },
        footer = {
            "  lychgate faults list",
            "  lychgate faults inject slow-db --route api --share 10%% --delay 100ms-300ms --for 10m",
            "  lychgate faults inject no-pay --route pay --header x-rehearsal:yes --abort 503 --for 5m",
            "  lychgate faults stop slow-db"
        })
final class FaultsCommand extends AdminCommand {
    private static final String LIST = "list";
    private static final String INJECT = "inject";
    private static final String STOP = "stop";

    @Parameters(index = "0", arity = "0..1", paramLabel = "ACTION", description = "list, inject or stop; default list.")
    private String action = LIST;

    @Parameters(index = "1", arity = "0..1", paramLabel = "NAME", description = "The name of the fault.")
    private @Nullable String name;

    @Option(
            names = "--route",
            paramLabel = "ID",
            description = "The id of a route of the fault; may be repeated; default all routes.")
    private List<String> routes = new ArrayList<>();

    @Option(
            names = "--header",
            paramLabel = "NAME:VALUE",
            description = "A header field that the requests contain; may be repeated.")
    private List<String> headers = new ArrayList<>();

    @Option(names = "--share", paramLabel = "SHARE", description = "The share of the requests; default 100%%.")
    private @Nullable String share;

    @Option(
            names = "--by",
            paramLabel = "PART",
            description =
                    "The part of a request that decides whether the request belongs to the share: request, client, "
                            + "header:NAME or cookie:NAME; default request.")
    private @Nullable String by;

    @Option(
            names = "--delay",
            paramLabel = "TIME",
            description = "The delay of each request, such as 200ms or 100ms-300ms.")
    private @Nullable String delay;

    @Option(names = "--abort", paramLabel = "STATUS", description = "The status of the response, 400 to 599.")
    private @Nullable Integer abort;

    @Option(names = "--grpc-status", paramLabel = "N", description = "With --abort: the status for gRPC clients.")
    private @Nullable Integer grpcStatus;

    @Option(names = "--reset", description = "Resets the client's connection or stream.")
    private boolean reset;

    @Option(
            names = "--bandwidth",
            paramLabel = "SIZE",
            description = "Bytes of response bodies per second, such as 16KiB.")
    private @Nullable String bandwidth;

    @Option(
            names = "--for",
            paramLabel = "TIME",
            description = "With inject: the duration of the fault, such as 10m; at most 24h.")
    private @Nullable String time;

    FaultsCommand() {
        super("POST", FaultsText::lines);
    }

    @Override
    String method() {
        return action.equals(LIST) ? "GET" : super.method();
    }

    @Override
    String target() throws UsageException {
        if (!List.of(LIST, INJECT, STOP).contains(action)) {
            throw new UsageException("faults " + action + " (expected: list, inject or stop)");
        }
        if (action.equals(LIST) != (name == null)) {
            throw new UsageException(
                    "faults " + action + " (expected: a name with inject or stop, and no name with list)");
        }
        if (action.equals(INJECT) != (time != null)) {
            throw new UsageException(
                    "faults " + action + " (expected: --for with inject, and no --for with list or stop)");
        }
        return switch (action) {
            case LIST -> "/faults";
            case STOP -> target("/faults/stop", "name", name, "route", routes);
            default -> injection();
        };
    }

    private String injection() {
        return target(
                "/faults",
                "name",
                name,
                "route",
                routes,
                "header",
                headers,
                "share",
                share,
                "by",
                by,
                "delay",
                delay,
                "abort",
                abort,
                "grpc-status",
                grpcStatus,
                "reset",
                reset ? "true" : null,
                "bandwidth",
                bandwidth,
                "for",
                time);
    }
}
