package dev.lychgate.config;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The action of a route on a matched request. */
public sealed interface RouteAction {
    /** The keys that describe actions. */
    Set<String> KEYS = Set.of("upstream", "subset", "redirect", "respond");

    /** Placeholder that replaces a refused action while the rest of the file is read. */
    RouteAction NONE = new Proxy("none");

    /** Reads the action of a route: exactly one of {@code upstream}, {@code redirect} and {@code respond}. */
    static RouteAction read(Key.Values values) {
        values.exactlyOne("upstream", "redirect", "respond");
        RouteAction proxy = Proxy.read(values);
        Redirect redirect = values.get(Redirect.KEY);
        RouteAction fixed = Respond.or(values, proxy);
        return redirect == null || fixed != proxy ? fixed : redirect;
    }

    /**
     * Reads the action that a route performs after a failure of its upstream: exactly one of {@code upstream} and
     * {@code respond}.
     */
    static RouteAction fallback(Key.Values values) {
        values.exactlyOne("upstream", "respond");
        return Respond.or(values, Proxy.read(values));
    }

    /**
     * Sends the request to an upstream.
     *
     * @param upstream the upstream's name
     * @param subset the metadata that an endpoint must have to receive the request; empty (the default) = any endpoint
     */
    record Proxy(String upstream, Map<String, String> subset) implements RouteAction {
        private static final Key<String> UPSTREAM =
                Key.text("upstream").absent("-").about("the name of the upstream that receives the requests");
        private static final Key<Map<String, String>> SUBSET = Key.texts("subset", "metadata key")
                .absent("any endpoint")
                .about("the `metadata` that an endpoint of the upstream must have to receive requests of the route; at "
                        + "least one endpoint of the upstream must have all of this metadata; see "
                        + "[balancing](balancing.md#subsets)");

        public Proxy {
            subset = Expect.copy(subset);
        }

        private static RouteAction read(Key.Values values) {
            values.needs("subset", "upstream");
            String upstream = values.get(UPSTREAM);
            Map<String, String> subset = values.get(SUBSET);
            if (upstream == null) {
                return NONE;
            }
            values.refersTo(upstream, subset);
            return new Proxy(upstream, subset);
        }

        /** Creates an action that sends the request to any endpoint of an upstream. */
        public Proxy(String upstream) {
            this(upstream, Map.of());
        }
    }

    /** Responds with a redirect. */
    record Redirect(int status, String location) implements RouteAction, WrittenConfig.Section {
        private static final Key<Redirect> KEY =
                Key.section("redirect", null, () -> Redirect.KEYS).absent("-").about("responds with a redirect");
        private static final Key<Integer> STATUS = Key.typed(
                        "status", Form.NUMBER.matching("30[12378]", "301, 302, 303, 307 or 308"), 302)
                .about("the status: 301, 302, 303, 307 or 308");
        private static final Key<String> LOCATION = Key.typed("location", Form.TEXT, "/")
                .required("a URL or path")
                .about("the target; may contain `{host}`, `{path}` and `{query}`, which are replaced by values of the "
                        + "request; `{query}` includes the question mark");

        static final Keys<Redirect> KEYS = Keys.of(Redirect::new, STATUS, LOCATION);

        public Redirect {
            STATUS.check(status);
            Expect.that(
                    !location.isEmpty() && location.chars().allMatch(c -> c > 0x20 && c < 0x7f),
                    "location",
                    location,
                    "a URL or path in ASCII");
        }

        @Override
        public void complete(Map<String, @Nullable Object> section) {
            Object settings = new LinkedHashMap<>(section);
            section.clear();
            section.put(KEY.name(), settings);
        }
    }

    /** Responds with a fixed response. */
    record Respond(
            int status,
            Map<String, String> headers,
            @Nullable String body) implements RouteAction, WrittenConfig.Section {
        private static final Key<Respond> KEY =
                Key.section("respond", null, () -> Respond.KEYS).absent("-").about("responds with a fixed response");
        private static final Key<Integer> STATUS =
                Key.number("status", 200).between(200, 599).about("the status of the response");
        private static final Key<Map<String, String>> HEADERS = Key.texts("headers", "field name")
                .about("the header fields of the response; framing fields are set by the gateway");
        private static final Key<String> BODY =
                Key.text("body").about("the body, sent as UTF-8; no body with status 204 or 304");

        static final Keys<Respond> KEYS = Keys.of(Respond::new, STATUS, HEADERS, BODY);

        public Respond {
            STATUS.check(status);
            headers = Expect.copy(headers);
            Set<String> names = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
            for (Map.Entry<String, String> h : headers.entrySet()) {
                String name = h.getKey();
                Form.FIELD_NAME.check("headers", name);
                Expect.that(names.add(name), "headers", name, "each field only once, regardless of case");
                Expect.that(
                        !name.equalsIgnoreCase("content-length")
                                && !name.equalsIgnoreCase("transfer-encoding")
                                && !name.equalsIgnoreCase("connection"),
                        "headers",
                        name,
                        "a field other than content-length, transfer-encoding and connection");
                Expect.that(
                        h.getValue().chars().allMatch(c -> c == '\t' || (c >= 0x20 && c < 0x7f)),
                        "headers",
                        h.getValue(),
                        "a field value in ASCII without line breaks");
            }
            Expect.that(
                    body == null || body.isEmpty() || (status != 204 && status != 304),
                    "body",
                    "text",
                    "no body with status 204 or 304");
        }

        @Override
        public void complete(Map<String, @Nullable Object> section) {
            Object settings = new LinkedHashMap<>(section);
            section.clear();
            section.put(KEY.name(), settings);
        }

        private static RouteAction or(Key.Values values, RouteAction other) {
            Respond respond = values.get(KEY);
            return respond == null ? other : respond;
        }
    }
}
