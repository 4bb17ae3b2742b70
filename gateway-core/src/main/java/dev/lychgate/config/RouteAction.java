package dev.lychgate.config;

import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** What a route does with a request that it matched. */
public sealed interface RouteAction {
    /**
     * Sends it to an upstream.
     *
     * @param upstream the upstream's name
     * @param subset only endpoints that have all of this metadata; empty = any, the default
     */
    record Proxy(String upstream, Map<String, String> subset) implements RouteAction {
        public Proxy {
            subset = Expect.copy(subset);
        }

        /** To any endpoint of an upstream. */
        public Proxy(String upstream) {
            this(upstream, Map.of());
        }
    }

    /**
     * Answers with a redirect.
     *
     * @param status 301, 302, 303, 307 or 308
     * @param location the target; may hold {@code {host}} (without its port), {@code {path}} and {@code {query}} (with its
     *     question mark)
     */
    record Redirect(int status, String location) implements RouteAction {
        public Redirect {
            Expect.that(
                    status == 301 || status == 302 || status == 303 || status == 307 || status == 308,
                    "status",
                    status,
                    "301, 302, 303, 307 or 308");
            Expect.that(
                    !location.isEmpty() && location.chars().allMatch(c -> c > 0x20 && c < 0x7f),
                    "location",
                    location,
                    "a URL or path in ASCII");
        }
    }

    /**
     * Answers with a fixed response.
     *
     * @param status 200 to 599
     * @param headers fields of the answer; framing fields are ours
     * @param body the body as text, sent as UTF-8; null = none
     */
    record Respond(
            int status,
            Map<String, String> headers,
            @Nullable String body) implements RouteAction {
        public Respond {
            Expect.between(200, 599, "status", status);
            headers = Expect.copy(headers);
            Set<String> names = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
            for (Map.Entry<String, String> h : headers.entrySet()) {
                String name = h.getKey();
                Expect.fieldName("headers", name);
                Expect.that(names.add(name), "headers", name, "each field once, in any case");
                Expect.that(
                        !name.equalsIgnoreCase("content-length")
                                && !name.equalsIgnoreCase("transfer-encoding")
                                && !name.equalsIgnoreCase("connection"),
                        "headers",
                        name,
                        "no framing field");
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
                    "none with 204 and 304");
        }
    }
}
