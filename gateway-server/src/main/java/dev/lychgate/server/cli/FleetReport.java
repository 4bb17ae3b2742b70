package dev.lychgate.server.cli;

import dev.lychgate.config.Quantity;
import dev.lychgate.server.fleet.Canary;
import dev.lychgate.server.fleet.FleetDoctor;
import dev.lychgate.server.fleet.FleetHead;
import dev.lychgate.server.fleet.FleetOperator.Reported;
import dev.lychgate.server.fleet.NodeStatus;
import dev.lychgate.server.fleet.Release;
import dev.lychgate.server.fleet.ReleaseFile;
import dev.lychgate.server.fleet.TwoStepActivation;
import dev.lychgate.server.json.JsonObject;
import dev.lychgate.server.json.JsonText;
import dev.lychgate.server.terminal.Printable;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Prints results of {@code lychgate fleet} as text or JSON. All texts of the store are escaped for the terminal. */
final class FleetReport {
    private final PrintWriter out;
    private final boolean json;

    FleetReport(PrintWriter out, boolean json) {
        this.out = out;
        this.json = json;
    }

    private void print(JsonObject object, List<String> lines) {
        if (json) {
            out.println(JsonText.of(object));
        } else {
            lines.forEach(line -> out.println(Printable.escaped(line)));
        }
    }

    void release(Release release) {
        print(
                new JsonObject()
                        .with("release", release.digest())
                        .with("files", release.manifest().files().size())
                        .with("bytes", release.manifest().size()),
                List.of(
                        "release " + release.digest(),
                        Quantity.of(release.manifest().files().size(), "file") + ", "
                                + Quantity.of(release.manifest().size(), "byte")));
    }

    void head(FleetHead head) {
        print(json(head), List.of(line(head)));
    }

    void history(List<FleetHead> heads) {
        print(
                new JsonObject()
                        .with("heads", heads.stream().map(FleetReport::json).toList()),
                heads.stream().map(FleetReport::line).toList());
    }

    void nodes(List<Reported> nodes) {
        print(
                new JsonObject()
                        .with("nodes", nodes.stream().map(FleetReport::json).toList()),
                nodes.isEmpty()
                        ? List.of("no node has reported")
                        : nodes.stream().flatMap(node -> lines(node).stream()).toList());
    }

    void status(FleetHead head, List<Reported> nodes) {
        List<String> lines = new ArrayList<>(List.of(line(head)));
        JsonObject sides = new JsonObject();
        Canary canary = head.canary();
        if (canary != null) {
            FleetSide trial = FleetSide.of(canary.digest(), nodes);
            FleetSide stable = FleetSide.of(head.stable(), nodes);
            lines.add("canary  " + trial.line());
            lines.add("stable  " + stable.line());
            sides.with("canary", trial.json()).with("stable", stable.json());
        }
        nodes.forEach(node -> lines.addAll(lines(node)));
        print(
                new JsonObject()
                        .with("head", json(head))
                        .with("sides", canary == null ? null : sides)
                        .with("nodes", nodes.stream().map(FleetReport::json).toList()),
                lines);
    }

    void activation(TwoStepActivation.Result result) {
        List<String> lines = lines("activated", result);
        print(json("activated", result), lines);
    }

    /** @param nodes the nodes that the canary selects */
    void canary(TwoStepActivation.Result result, List<String> nodes) {
        List<String> lines = lines("started", result);
        if (result.activated()) {
            lines.add("on " + Quantity.of(nodes.size(), "node") + ": " + String.join(", ", nodes));
        }
        print(json("started", result).with("nodes", nodes), lines);
    }

    private static List<String> lines(String verb, TwoStepActivation.Result result) {
        List<String> lines = new ArrayList<>(result.problems());
        lines.add((result.activated() ? verb : "not " + verb) + ": " + line(result.head()));
        return lines;
    }

    private static JsonObject json(String verb, TwoStepActivation.Result result) {
        return new JsonObject()
                .with(verb, result.activated())
                .with("head", json(result.head()))
                .with("problems", result.problems());
    }

    void findings(List<FleetDoctor.Finding> findings) {
        print(
                new JsonObject()
                        .with(
                                "findings",
                                findings.stream()
                                        .map(each -> new JsonObject()
                                                .with("check", each.check())
                                                .with("outcome", outcome(each))
                                                .with("detail", each.detail()))
                                        .toList()),
                findings.stream()
                        .map(each -> "%-8s%s: %s".formatted(outcome(each), each.check(), each.detail()))
                        .toList());
    }

    private static String outcome(FleetDoctor.Finding finding) {
        return finding.outcome().name().toLowerCase(Locale.ROOT);
    }

    void difference(Release from, Release to) {
        Map<String, String> changes = new TreeMap<>();
        Map<String, String> before = digests(from);
        Map<String, String> after = digests(to);
        after.forEach((path, digest) -> {
            String old = before.get(path);
            if (!digest.equals(old)) {
                changes.put(path, old == null ? "added" : "changed");
            }
        });
        before.keySet().stream().filter(path -> !after.containsKey(path)).forEach(path -> changes.put(path, "removed"));
        print(
                new JsonObject()
                        .with("from", from.digest())
                        .with("to", to.digest())
                        .with(
                                "files",
                                changes.entrySet().stream()
                                        .map(each -> new JsonObject()
                                                .with("path", each.getKey())
                                                .with("change", each.getValue()))
                                        .toList()),
                changes.isEmpty()
                        ? List.of("no file differs")
                        : changes.entrySet().stream()
                                .map(each -> each.getValue() + " " + each.getKey())
                                .toList());
    }

    private static Map<String, String> digests(Release release) {
        return release.manifest().files().stream().collect(Collectors.toMap(ReleaseFile::path, ReleaseFile::sha256));
    }

    private static String line(FleetHead head) {
        return "epoch " + head.epoch() + "  " + head.time() + "  release " + shown(head.stable())
                + shown(head.canary())
                + (head.prepared() == null ? "" : "  preparing " + shown(head.prepared())) + "  by " + head.author()
                + "  " + head.reason();
    }

    private static String shown(@Nullable Canary canary) {
        return canary == null
                ? ""
                : "  canary " + shown(canary.digest()) + (canary.until() == null ? "" : " until " + canary.until());
    }

    private static String shown(@Nullable String digest) {
        return digest == null || digest.isEmpty() ? "none" : Release.shortened(digest);
    }

    private static JsonObject json(FleetHead head) {
        return new JsonObject()
                .with("space", head.space())
                .with("epoch", head.epoch())
                .with("stable", head.stable())
                .with("canary", json(head.canary()))
                .with("prepared", head.prepared())
                .with("author", head.author())
                .with("time", head.time().toString())
                .with("reason", head.reason());
    }

    private static @Nullable JsonObject json(@Nullable Canary canary) {
        if (canary == null) {
            return null;
        }
        JsonObject labels = new JsonObject();
        canary.labels().forEach(labels::with);
        Instant until = canary.until();
        return new JsonObject()
                .with("release", canary.digest())
                .with("labels", labels)
                .with("until", until == null ? null : until.toString());
    }

    private static List<String> lines(Reported node) {
        NodeStatus status = node.status();
        Function<String, String> optional = text -> text.isEmpty() ? "" : "  " + text;
        List<String> lines = new ArrayList<>();
        lines.add(status.node() + "  " + (node.isLost() ? "lost" : state(status)) + "  epoch " + status.epoch()
                + "  release " + shown(status.active()) + "  " + FleetSide.line(node.traffic()) + "  reported "
                + node.age().toSeconds() + " s ago"
                + optional.apply(status.store()));
        status.faults().forEach(fault -> lines.add("  " + fault));
        return lines;
    }

    private static String state(NodeStatus status) {
        if (!status.faults().isEmpty()) {
            return "refused " + shown(status.refused());
        }
        return status.prepared().isEmpty() ? "active" : "prepared " + shown(status.prepared());
    }

    private static JsonObject json(Reported node) {
        return node.status()
                .json()
                .with("traffic", node.traffic().json())
                .with("lost", node.isLost())
                .with("age_ms", node.age().toMillis());
    }
}
