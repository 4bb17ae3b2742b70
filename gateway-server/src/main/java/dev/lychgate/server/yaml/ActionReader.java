package dev.lychgate.server.yaml;

import dev.lychgate.config.RouteAction;
import java.util.Map;

/** Reads what a route does: exactly one of {@code upstream}, {@code redirect} and {@code respond}. */
final class ActionReader {
    private static final RouteAction NONE = new RouteAction.Proxy("none");

    private ActionReader() {}

    static RouteAction read(Section s, CrossReferences references) {
        s.exactlyOne("upstream", "redirect", "respond");
        RouteAction action = proxy(s, references);
        Element redirect = s.get("redirect");
        Element respond = s.get("respond");
        if (redirect.isMapping() || redirect.present()) {
            action = redirect.section(ActionReader::redirect);
        }
        if (respond.isMapping() || respond.present()) {
            action = respond.section(ActionReader::respond);
        }
        return action;
    }

    /** What is done in place of an action that has failed: exactly one of {@code upstream} and {@code respond}. */
    static RouteAction fallback(Section s, CrossReferences references) {
        s.exactlyOne("upstream", "respond");
        RouteAction action = proxy(s, references);
        Element respond = s.get("respond");
        return respond.isMapping() || respond.present() ? respond.section(ActionReader::respond) : action;
    }

    private static RouteAction proxy(Section s, CrossReferences references) {
        Element upstream = s.get("upstream");
        Element subset = s.get("subset");
        Map<String, String> wanted = s.texts("subset");
        RouteAction action = NONE;
        if (upstream.present()) {
            String name = upstream.text("none");
            references.upstream(upstream, name);
            references.subset(subset, name, wanted);
            action = new RouteAction.Proxy(name, wanted);
        } else if (subset.present()) {
            subset.refuse("without upstream", "upstream beside it");
        }
        return action;
    }

    private static RouteAction redirect(Section s) {
        return s.build(
                () -> new RouteAction.Redirect(
                        s.number("status", 302),
                        s.required("location", "a URL or path").text("/")),
                NONE);
    }

    private static RouteAction respond(Section s) {
        return s.build(
                () -> new RouteAction.Respond(
                        s.number("status", 200),
                        s.texts("headers"),
                        s.get("body").textOrNull()),
                NONE);
    }
}
