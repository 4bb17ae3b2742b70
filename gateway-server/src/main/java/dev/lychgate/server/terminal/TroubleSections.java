package dev.lychgate.server.terminal;

import java.util.ArrayList;
import java.util.List;

/** Endpoints, pools, circuits, listeners, logs and receivers that are not as they should be, each kind a section of a frame. */
final class TroubleSections {
    /** Share of failed attempts from which on an endpoint is listed. */
    private static final double MANY = 0.05;

    private final Pages pages;
    private final Frame frame;

    TroubleSections(Pages pages, Frame frame) {
        this.pages = pages;
        this.frame = frame;
    }

    void add() {
        endpoints();
        waiting();
        breakers();
        listeners();
        losses();
    }

    private void endpoints() {
        List<String> unwell = new ArrayList<>();
        int all = 0;
        for (JsonValue upstream : pages.get("/upstreams").list("upstreams")) {
            if (upstream.is("panic")) {
                unwell.add(upstream.text("name") + "  PANIC: too few endpoints are well, all are used");
            }
            for (JsonValue endpoint : upstream.list("endpoints")) {
                all++;
                List<String> faults = faults(endpoint);
                if (!faults.isEmpty()) {
                    unwell.add(upstream.text("name") + " " + endpoint.text("endpoint") + "  "
                            + String.join(", ", faults) + ", share "
                            + Printable.figure(100 * endpoint.number("share"), 0) + "%");
                }
            }
        }
        section("ENDPOINTS THAT ARE NOT WELL, of " + all, "/upstreams", unwell);
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
            faults.add(Printable.figure(100 * share, 0) + "% of its attempts fail");
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
                        + count(breaker, "attempts") + " attempts failed, opened " + count(breaker, "openings")
                        + " times");
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
                lowered.add(listener.text("name") + "  " + count(connections, "most") + " connections instead of "
                        + count(connections, "configured") + ": raise ulimit -n");
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

    private void section(String heading, String path, List<String> rows) {
        boolean told = pages.has(path);
        if (told && rows.isEmpty()) {
            frame.quiet(heading);
            return;
        }
        frame.section(heading);
        if (!told) {
            frame.row("not told: " + pages.why(path), Tone.TROUBLE);
        }
        rows.forEach(row -> frame.row(row, Tone.TROUBLE));
    }

    private static String count(JsonValue value, String name) {
        return Printable.figure(value.number(name), 0);
    }
}
