package dev.lychgate.server.yaml;

import dev.lychgate.config.Cidr;
import dev.lychgate.config.MatchConfig;
import dev.lychgate.config.RewriteConfig;
import dev.lychgate.config.RouteConfig;
import dev.lychgate.config.RouteTimeouts;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads one element of {@code routes}. */
final class RouteReader {
    private static final Cidr NOBODY = Cidr.parse("127.0.0.1");

    private final CrossReferences references;

    RouteReader(CrossReferences references) {
        this.references = references;
    }

    RouteConfig read(Element element) {
        return element.section(s -> s.build(
                () -> {
                    Element id = s.required("id", "a name, unique among routes");
                    references.routeId(id);
                    return new RouteConfig(
                            id.text("unnamed"),
                            s.number("order", 0),
                            s.get("match").section(MatchConfig.ANY, RouteReader::match),
                            rewrite(s),
                            ActionReader.read(s, references),
                            s.get("timeouts").section(RouteTimeouts.UNSET, TimeoutsReader::read),
                            FilterReader.list(s.get("filters")),
                            RetryReader.read(s, references),
                            WebSocketReader.read(s.get("websocket")),
                            LogReader.route(s.get("access-log")));
                },
                RouteConfig.proxy("unnamed", MatchConfig.ANY, "none")));
    }

    private static MatchConfig match(Section s) {
        return s.build(() -> match(s, weight(s.get("weight"))), MatchConfig.ANY);
    }

    /** What requests are meant, by all that a route may say but a weight; null if nothing is said. */
    static @Nullable MatchConfig requests(Element element) {
        if (!element.present() && !element.isMapping()) {
            return null;
        }
        return element.section(s -> s.build(() -> match(s, null), MatchConfig.ANY));
    }

    private static MatchConfig match(Section s, MatchConfig.@Nullable Weight weight) {
        return new MatchConfig(
                hosts(s.get("host")),
                s.get("path").textOrNull(),
                s.get("methods").list("methods", item -> item.text("GET")),
                s.texts("headers"),
                s.texts("query"),
                s.get("clients").list("address blocks", item -> item.parsed(NOBODY, Cidr::parse)),
                weight);
    }

    private static List<String> hosts(Element element) {
        if (!element.present()) {
            return List.of();
        }
        return element.isList()
                ? element.list("host names", item -> item.text("unnamed"))
                : List.of(element.text("unnamed"));
    }

    private static MatchConfig.@Nullable Weight weight(Element element) {
        if (!element.present() && !element.isMapping()) {
            return null;
        }
        MatchConfig.Weight none = new MatchConfig.Weight("none", 0);
        return element.section(s -> s.build(
                () -> new MatchConfig.Weight(
                        s.required("group", "the group's name").text("none"),
                        s.required("share", "a whole number, relative to the group's others")
                                .number(0)),
                none));
    }

    private static RewriteConfig rewrite(Section route) {
        Element forward = route.get("path").section(s -> s.get("forward"));
        boolean raw = forward.parsed(false, text -> switch (text) {
            case "raw" -> true;
            case "normal" -> false;
            default -> throw new IllegalArgumentException("raw or normal");
        });
        RewriteConfig rewrite = route.get("rewrite")
                .section(
                        RewriteConfig.NONE,
                        s -> s.build(
                                () -> new RewriteConfig(
                                        s.number("strip-prefix", 0),
                                        s.get("path").textOrNull(),
                                        s.get("set-host").textOrNull(),
                                        false),
                                RewriteConfig.NONE));
        boolean changesPath = rewrite.stripPrefix() != 0 || rewrite.path() != null;
        if (raw && changesPath) {
            forward.refuse("raw", "normal, since rewrite changes the path");
        }
        return new RewriteConfig(rewrite.stripPrefix(), rewrite.path(), rewrite.setHost(), raw && !changesPath);
    }
}
