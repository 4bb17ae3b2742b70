package dev.lychgate.server.terminal;

import static dev.lychgate.server.terminal.Printable.figure;
import static dev.lychgate.server.terminal.Printable.left;
import static dev.lychgate.server.terminal.Printable.right;

import dev.lychgate.config.Quantity;
import dev.lychgate.server.terminal.Frame.Tone;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The state of a running gateway on one screen: first the traffic, then all conditions that need attention. */
public final class TopFrame {
    private static final String FAILED = "/exchanges?reason=failed&limit=5";
    private static final String SLOW = "/exchanges?reason=slow&limit=5";

    /**
     * The paths that are requested for each frame: the state, the traffic, the upstreams, and the latest failed and
     * slow exchanges.
     */
    public static final List<String> PATHS = List.of(
            "/ready",
            "/version",
            "/generation",
            "/traffic",
            "/upstreams",
            "/breakers",
            "/listeners",
            "/losses",
            "/loops",
            FAILED,
            SLOW);

    /** An endpoint is listed if at least this fraction of its attempts failed. */
    private static final double MANY = 0.05;

    private static final int NAME = 30;
    private static final int FIGURE = 9;
    private static final int THREAD = 26;

    private final Pages pages;
    private final Frame frame = new Frame();

    private TopFrame(Pages pages) {
        this.pages = pages;
    }

    /** @param gateway the address of the gateway, for the headline */
    public static Frame of(String gateway, Pages pages) {
        TopFrame top = new TopFrame(pages);
        top.head(gateway);
        top.routes();
        top.endpoints();
        top.waiting();
        top.breakers();
        top.listeners();
        top.losses();
        top.loops();
        top.exchanges();
        return top.frame;
    }

    /**
     * Returns the frame for an unreachable gateway.
     *
     * @param since time of the first failure
     * @param why the reason, printable
     */
    public static Frame gone(String gateway, String since, String why) {
        Frame frame = new Frame();
        frame.head(
                "lychgate at " + Printable.escaped(gateway) + "  NO RESPONSE since " + since + ", retrying",
                Tone.TROUBLE);
        frame.head(why, Tone.PLAIN);
        return frame;
    }

    private void head(String gateway) {
        JsonValue version = pages.get("/version");
        JsonValue generation = pages.get("/generation");
        boolean ready = pages.has("/ready");
        String state = ready ? "ready" : "NOT READY: " + pages.why("/ready");
        frame.head(
                "lychgate " + version.text("gateway") + " at " + Printable.escaped(gateway) + "  " + state,
                ready ? Tone.HEADING : Tone.TROUBLE);
        frame.head(
                "up " + Printable.duration(Math.round(version.number("uptime_s"))) + ", generation "
                        + Math.round(generation.number("number")) + " since "
                        + generation.text("since").replaceFirst("\\.\\d+Z$", "Z") + ", Java "
                        + version.text("java"),
                Tone.PLAIN);
    }

    private void routes() {
        JsonValue traffic = pages.get("/traffic");
        frame.section(left("ROUTES, last " + Math.round(traffic.number("seconds")) + " s", NAME)
                + right("rate/s", FIGURE)
                + right("errors", FIGURE)
                + right("p50 ms", FIGURE)
                + right("p99 ms", FIGURE)
                + right("total", FIGURE + 3));
        if (missing("/traffic")) {
            return;
        }
        traffic.list("routes").stream()
                .sorted(Comparator.comparingDouble((JsonValue route) -> route.number("rate"))
                        .thenComparingDouble(route -> route.number("total"))
                        .reversed())
                .forEach(this::route);
    }

    private void route(JsonValue route) {
        double rate = route.number("rate");
        double errors = route.number("error_rate");
        String share = rate > 0 ? figure(100 * errors / rate, 1) + "%" : "-";
        frame.row(
                left(route.text("id"), NAME)
                        + right(figure(rate, 1), FIGURE)
                        + right(share, FIGURE)
                        + millis(route, "p50_ms")
                        + millis(route, "p99_ms")
                        + right(figure(route.number("total"), 0), FIGURE + 3),
                errors > 0 ? Tone.TROUBLE : Tone.PLAIN);
    }

    private static String millis(JsonValue route, String name) {
        return right(route.has(name) ? figure(route.number(name), 1) : "-", FIGURE);
    }

    private void loops() {
        frame.section(left("EVENT LOOPS", THREAD) + right("lag ms", FIGURE) + right("waiting", FIGURE)
                + right("clients", FIGURE) + "  in filter");
        if (missing("/loops")) {
            return;
        }
        pages.get("/loops").list("loops").stream()
                .sorted(Comparator.comparing((JsonValue loop) -> loop.is("silent"))
                        .thenComparingDouble(loop -> loop.number("lag_us"))
                        .reversed())
                .forEach(loop -> {
                    String lag = loop.is("silent") ? "SILENT" : figure(loop.number("lag_us") / 1000, 1);
                    String filter = loop.has("filter")
                            ? "  " + figure(loop.number("filter_ms"), 0) + " ms " + loop.text("filter")
                            : "";
                    frame.row(
                            left(loop.text("thread"), THREAD)
                                    + right(lag, FIGURE)
                                    + right(figure(loop.number("pending"), 0), FIGURE)
                                    + right(figure(loop.number("clients"), 0), FIGURE)
                                    + filter,
                            loop.is("silent") ? Tone.TROUBLE : Tone.PLAIN);
                });
    }

    private void endpoints() {
        List<String> unwell = new ArrayList<>();
        int all = 0;
        for (JsonValue upstream : pages.get("/upstreams").list("upstreams")) {
            if (upstream.is("panic")) {
                unwell.add(upstream.text("name") + "  PANIC: too few endpoints are healthy, so all endpoints are used");
            }
            for (JsonValue endpoint : upstream.list("endpoints")) {
                all++;
                List<String> faults = faults(endpoint);
                if (!faults.isEmpty()) {
                    unwell.add(upstream.text("name") + " " + endpoint.text("endpoint") + "  "
                            + String.join(", ", faults) + ", share "
                            + figure(100 * endpoint.number("share"), 0) + "%");
                }
            }
        }
        section("ENDPOINTS WITH PROBLEMS, of " + all, "/upstreams", unwell);
    }

    private static List<String> faults(JsonValue endpoint) {
        List<String> faults = new ArrayList<>();
        if (endpoint.text("health").equals("unhealthy")) {
            faults.add(endpoint.has("fault") ? "unhealthy (" + endpoint.text("fault") + ")" : "unhealthy");
        }
        if (endpoint.is("ejected")) {
            faults.add("ejected");
        }
        double share = endpoint.number("error_rate") / Math.max(endpoint.number("rate"), Double.MIN_NORMAL);
        if (share >= MANY) {
            faults.add(figure(100 * share, 0) + "% of its attempts fail");
        }
        String admin = endpoint.text("admin");
        if (admin.equals("draining") || admin.equals("disabled")) {
            faults.add(admin);
        }
        return faults;
    }

    private void waiting() {
        List<String> pools = new ArrayList<>();
        for (JsonValue upstream : pages.get("/upstreams").list("upstreams")) {
            for (JsonValue endpoint : upstream.list("endpoints")) {
                if (endpoint.number("pending") > 0) {
                    pools.add(upstream.text("name") + " " + endpoint.text("endpoint") + "  "
                            + count(endpoint, "pending") + " waiting, " + count(endpoint, "busy") + " busy, "
                            + count(endpoint, "idle") + " idle, " + count(endpoint, "connecting") + " connecting");
                }
            }
        }
        section("REQUESTS THAT WAIT FOR A CONNECTION", "/upstreams", pools);
    }

    private void breakers() {
        List<String> open = new ArrayList<>();
        List<JsonValue> all = pages.get("/breakers").list("breakers");
        for (JsonValue breaker : all) {
            String held = breaker.text("state");
            boolean isHeld = !held.equals("auto");
            if (isHeld || !breaker.text("position").equals("closed")) {
                String endpoint = breaker.has("endpoint") ? " " + breaker.text("endpoint") : "";
                open.add(breaker.text("upstream") + endpoint + "  " + breaker.text("position")
                        + (isHeld ? " (" + held + ")" : "") + ", " + count(breaker, "failures") + " of "
                        + count(breaker, "attempts") + " attempts failed, opened "
                        + Quantity.of(Math.round(breaker.number("openings")), "time"));
            }
        }
        section("BREAKERS THAT ARE OPEN OR HELD, of " + all.size(), "/breakers", open);
    }

    private void listeners() {
        List<String> lowered = new ArrayList<>();
        List<JsonValue> all = pages.get("/listeners").list("listeners");
        for (JsonValue listener : all) {
            JsonValue connections = listener.get("connections");
            if (connections.number("most") < connections.number("configured")) {
                lowered.add(
                        listener.text("name") + "  " + Quantity.of(Math.round(connections.number("most")), "connection")
                                + " instead of " + count(connections, "configured") + ": raise ulimit -n");
            }
        }
        section("LISTENERS BELOW THEIR LIMIT, of " + all.size(), "/listeners", lowered);
    }

    private void losses() {
        List<String> recent = new ArrayList<>();
        for (JsonValue loss : pages.get("/losses").list("losses")) {
            if (loss.number("recent") > 0) {
                recent.add(loss.text("kind") + ": " + loss.text("name") + "  " + count(loss, "recent") + ", "
                        + count(loss, "total") + " since the start, " + loss.text("metric"));
            }
        }
        section("LOSSES, last minute", "/losses", recent);
    }

    private void exchanges() {
        exchanges("LATEST FAILED", FAILED);
        exchanges("LATEST SLOW", SLOW);
    }

    private void exchanges(String heading, String path) {
        String told = " (details: lychgate trace ID)";
        List<String> all = pages.get(path).list("exchanges").stream()
                .map(ExchangeStory::line)
                .toList();
        section(heading, told, path, all, Tone.PLAIN);
    }

    private void section(String heading, String path, List<String> rows) {
        section(heading, "", path, rows, Tone.TROUBLE);
    }

    /** @param more text appended to the heading, if there are rows */
    private void section(String heading, String more, String path, List<String> rows, Tone tone) {
        if (rows.isEmpty() && pages.has(path)) {
            frame.quiet(heading);
            return;
        }
        frame.section(heading + more);
        if (!missing(path)) {
            rows.forEach(row -> frame.row(row, tone));
        }
    }

    private boolean missing(String path) {
        if (pages.has(path)) {
            return false;
        }
        frame.row("not shown: " + pages.why(path), Tone.TROUBLE);
        return true;
    }

    private static String count(JsonValue value, String name) {
        return figure(value.number(name), 0);
    }
}
