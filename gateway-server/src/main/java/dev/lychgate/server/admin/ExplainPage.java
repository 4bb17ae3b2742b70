package dev.lychgate.server.admin;

import dev.lychgate.cache.CacheUse;
import dev.lychgate.cache.ResponseCaches;
import dev.lychgate.cache.RouteCache;
import dev.lychgate.client.ClientRefusal;
import dev.lychgate.config.IpLiteral;
import dev.lychgate.config.ListenerConfig;
import dev.lychgate.generation.FaultPlan;
import dev.lychgate.generation.FaultRule;
import dev.lychgate.generation.Generation;
import dev.lychgate.server.admin.Parameter.Count;
import dev.lychgate.server.explain.Explanation;
import dev.lychgate.server.explain.ExplanationJson;
import dev.lychgate.server.explain.Inquiry;
import dev.lychgate.server.explain.PriorityText;
import dev.lychgate.server.explain.RateLimitText;
import dev.lychgate.server.json.Json;
import dev.lychgate.server.json.Shape;
import java.net.InetAddress;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** {@code /explain}: how the running generation would handle a request. Nothing is sent, and no filter runs. */
final class ExplainPage {
    static final Parameter<String> METHOD = Parameter.optional("method", "the method; default GET");
    static final Parameter<String> URL = Parameter.needed("url", "the URL, or a path that begins with /");
    static final Parameter<String> HEADER =
            new Parameter<>("header", Count.ANY, Json.TEXT, "a header field in the form name:value, repeatable");
    static final Parameter<String> CLIENT =
            Parameter.optional("client", "the IP address of the client; default the loopback");
    static final Parameter<String> LISTENER =
            Parameter.optional("listener", "the listener that accepts the request; default the first");

    record Explained(Generation generation, Explanation explanation) {}

    static final Shape<Explained> SHAPE = new Shape<Explained>(
                    "Explanation", "The route and the filters that apply to a request.")
            .integer("generation", "The number of the generation.", all -> all.generation.number())
            .include(ExplanationJson.SHAPE, Explained::explanation);

    private ExplainPage() {}

    /**
     * Returns the explanation, even if no route matches. Rejects an unknown listener with 404, and a malformed request
     * with 400.
     */
    static Explained of(Generation generation, Parameters given) throws Rejection {
        ListenerConfig listener = listener(generation.config().listeners(), given.optional(LISTENER));
        if (listener == null) {
            throw Rejection.notFound("unknown listener; see /listeners");
        }
        Inquiry inquiry;
        try {
            inquiry = inquiry(given);
        } catch (IllegalArgumentException e) {
            throw Rejection.malformed("expected: " + e.getMessage());
        }
        ClientRefusal refusal = generation.clients().of(listener.name()).refusal(inquiry.client());
        if (refusal != null) {
            return new Explained(generation, Explanation.ofRefusedClient(inquiry, refusal.label()));
        }
        FaultPlan plan = generation.faults();
        List<FaultRule> faults = plan == null ? List.of() : plan.active(Instant.now());
        return new Explained(
                generation,
                Explanation.of(
                        generation.routes(),
                        listener,
                        generation.filters(),
                        faults,
                        limit -> RateLimitText.of(limit, generation.rateLimits()),
                        (route, head) -> PriorityText.of(generation, route, head),
                        (route, head, secure) -> {
                            ResponseCaches caches = generation.caches();
                            RouteCache cache = caches == null ? null : caches.of(route.id());
                            return CacheUse.of(route.config(), head, secure, cache, System.nanoTime());
                        },
                        inquiry));
    }

    private static @Nullable ListenerConfig listener(List<ListenerConfig> all, @Nullable String name) {
        return all.stream()
                .filter(one -> name == null || one.name().equals(name))
                .findFirst()
                .orElse(null);
    }

    private static Inquiry inquiry(Parameters given) {
        String method = Objects.requireNonNullElse(given.optional(METHOD), "GET");
        Inquiry inquiry = Inquiry.parse(method, given.needed(URL));
        String client = given.optional(CLIENT);
        if (client != null) {
            InetAddress address = IpLiteral.address(client);
            if (address == null) {
                throw new IllegalArgumentException("an IP address in the parameter client");
            }
            inquiry = inquiry.from(address);
        }
        for (String field : given.every(HEADER)) {
            int colon = field.indexOf(':');
            if (colon < 0) {
                throw new IllegalArgumentException("a header field such as x-beta:yes");
            }
            inquiry = inquiry.with(
                    field.substring(0, colon), field.substring(colon + 1).strip());
        }
        return inquiry;
    }
}
