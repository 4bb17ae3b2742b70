package dev.lychgate.server.admin;

import static dev.lychgate.server.admin.AdminResponse.now;
import static dev.lychgate.server.admin.AdminRoute.json;
import static io.netty.handler.codec.http.HttpResponseStatus.SERVICE_UNAVAILABLE;

import dev.lychgate.config.GatewayConfig;
import dev.lychgate.config.ListenerConfig;
import dev.lychgate.config.RateLimitConfig.Mode;
import dev.lychgate.config.RateLimitConfig.OnLoss;
import dev.lychgate.config.RateLimitConfig.Scope;
import dev.lychgate.config.RateLimitConfig.Unit;
import dev.lychgate.config.RouteConfig;
import dev.lychgate.generation.Generation;
import dev.lychgate.limit.HotKey;
import dev.lychgate.limit.RateLimit;
import dev.lychgate.limit.RateLimits;
import dev.lychgate.limit.SharedLimit;
import dev.lychgate.server.json.Json;
import dev.lychgate.server.json.Shape;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * {@code /rate-limits}: the rate limits with their counts. A separate path shows the keys, because keys contain data of
 * clients.
 */
final class RateLimitsPage {
    private record Shown(RateLimit limit, GatewayConfig config) {
        static List<Shown> all(Generation generation) {
            List<Shown> all = new ArrayList<>();
            RateLimits limits = generation.rateLimits();
            if (limits != null) {
                limits.all().forEach(limit -> all.add(new Shown(limit, generation.config())));
            }
            return all;
        }

        @Nullable
        Fleet fleet() {
            SharedLimit shared = limit.shared();
            return shared == null ? null : new Fleet(shared, limit.config().onLoss());
        }

        List<String> listeners() {
            return config.listeners().stream()
                    .filter(listener -> listener.rateLimit().contains(limit.name()))
                    .map(ListenerConfig::name)
                    .toList();
        }

        List<String> routes() {
            return config.routes().stream()
                    .filter(route -> route.rateLimit().contains(limit.name()))
                    .map(RouteConfig::id)
                    .toList();
        }
    }

    private record Fleet(SharedLimit shared, OnLoss onLoss) {}

    private static final Shape<Fleet> FLEET = new Shape<Fleet>("SharedRateLimit")
            .text(
                    "decides",
                    "`exact` = the store decides about each request; `leased` = the gateway decides with units that "
                            + "it has leased in advance.",
                    RateLimitsPage::decides)
            .field("on_loss", Json.words(OnLoss.values()), "The decisions without the store.", Fleet::onLoss)
            .field(
                    "lost",
                    Json.FLAG,
                    "Whether the store, or a part of it, does not respond.",
                    fleet -> fleet.shared.isLost())
            .integer("gateways", "The number of gateways that share the store.", fleet -> fleet.shared.gateways())
            .integer("leased", "Units that this gateway has leased and not used.", fleet -> fleet.shared.leased())
            .integer("questions", "Requests to the store, since the start.", fleet -> fleet.shared.questions())
            .integer(
                    "on_loss_decisions",
                    "Decisions without the store, since the start.",
                    fleet -> fleet.shared.onLossDecisions())
            .integer(
                    "unleased",
                    "Requests refused while their units were being leased, since the start.",
                    fleet -> fleet.shared.unleased());

    private static String decides(Fleet fleet) {
        return fleet.shared.isExact() ? "exact" : "leased";
    }

    private static final Shape<Shown> LIMIT = new Shape<Shown>("RateLimit")
            .text("name", "The name of the limit.", shown -> shown.limit.name())
            .field(
                    "key",
                    Json.list(Json.TEXT),
                    "The parts of a request that select a bucket.",
                    shown -> shown.limit.config().key().stream()
                            .map(Object::toString)
                            .toList())
            .text(
                    "limit",
                    "The rate of each bucket.",
                    shown -> shown.limit.config().limit().toString())
            .integer(
                    "burst",
                    "The units of a full bucket.",
                    shown -> shown.limit.config().capacity())
            .field(
                    "unit",
                    Json.words(Unit.values()),
                    "The counted units.",
                    shown -> shown.limit.config().unit())
            .field(
                    "mode",
                    Json.words(Mode.values()),
                    "Whether requests beyond the limit are rejected.",
                    shown -> shown.limit.config().mode())
            .field(
                    "scope",
                    Json.words(Scope.values()),
                    "The gateways that share the buckets.",
                    shown -> shown.limit.config().scope())
            .field("listeners", Json.list(Json.TEXT), "The listeners that name the limit.", Shown::listeners)
            .field("routes", Json.list(Json.TEXT), "The ids of the routes that name the limit.", Shown::routes)
            .integer("admitted", "Requests within the limit, since the start.", shown -> shown.limit.admitted())
            .integer("refused", "Requests beyond the limit, since the start.", shown -> shown.limit.refused())
            .integer("keys", "Keys with a bucket that is not full.", shown -> shown.limit.keysInUse())
            .integer(
                    "crowded",
                    "Decisions by a bucket that several keys share, since the start.",
                    shown -> shown.limit.crowded())
            .optional("fleet", FLEET, "The state of a limit with the scope fleet.", Shown::fleet);

    private static final Shape<Generation> SHAPE = new Shape<Generation>(
                    "RateLimits", "The rate limits with their counts.")
            .list("rate_limits", LIMIT, "The limits, in the order of the configuration.", Shown::all);

    private static final Shape<HotKey> KEY = new Shape<HotKey>("RefusedKey")
            .text("key", "The values of a request that select the bucket; secret ones are masked.", HotKey::key)
            .integer(
                    "refused",
                    "The approximate number of requests with this key beyond the limit, in the last minutes.",
                    HotKey::refused);

    private static final Shape<RateLimit> KEYS_OF_LIMIT = new Shape<RateLimit>("RefusedKeys")
            .text("name", "The name of the limit.", RateLimit::name)
            .list("keys", KEY, "At most 32 keys, in the order of their rejected requests.", RateLimit::hotKeys);

    private static final Shape<Generation> KEYS = new Shape<Generation>(
                    "RateLimitKeys", "The keys with the most rejected requests.")
            .list("rate_limits", KEYS_OF_LIMIT, "The limits, in the order of the configuration.", RateLimitsPage::all);

    private RateLimitsPage() {}

    private static List<RateLimit> all(Generation generation) {
        RateLimits limits = generation.rateLimits();
        return limits == null ? List.of() : List.copyOf(limits.all());
    }

    /** The running generation. */
    interface Running {
        Generation generation() throws Rejection;
    }

    /** Returns the pages of the rate limits. */
    static List<AdminRoute> routes(Running running) {
        return List.of(
                json("/rate-limits", SHAPE, given -> now(AdminResponse.json(SHAPE, running.generation())))
                        .failing(SERVICE_UNAVAILABLE),
                json("/rate-limits/keys", KEYS, given -> now(AdminResponse.json(KEYS, running.generation())))
                        .failing(SERVICE_UNAVAILABLE)
                        .recordings());
    }
}
