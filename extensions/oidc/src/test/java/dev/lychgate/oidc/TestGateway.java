package dev.lychgate.oidc;

import dev.lychgate.chain.FilterSet;
import dev.lychgate.config.GatewayConfig;
import dev.lychgate.config.PlainValues;
import dev.lychgate.config.Secret;
import dev.lychgate.exchange.ExchangeObserver;
import dev.lychgate.filter.AsyncFilter;
import dev.lychgate.filter.Authentication;
import dev.lychgate.filter.BodyNeed;
import dev.lychgate.filter.FilterExchange;
import dev.lychgate.filter.FilterOutcome;
import dev.lychgate.filter.InboundFilter;
import dev.lychgate.gateway.Gateway;
import dev.lychgate.server.yaml.ConfigReader;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;

/**
 * A gateway in this process with authenticators in front of an origin, so that blocked event loops are detected. The response has
 * the field {@code x-user} with the subject, and {@code x-groups}. The origin returns the cookies that it has received.
 */
final class TestGateway implements AutoCloseable {
    static final String KEY = "an old key of at least 32 characters";

    private final ScriptedOrigin origin;
    private final Gateway gateway;
    final OidcExtension extension;

    /** Asks authenticators in their order, as the gateway does for one section. */
    private record Authenticate(List<OidcAuthenticator> authenticators) implements InboundFilter, AsyncFilter {
        @Override
        public String name() {
            return "authenticate";
        }

        /** Long enough for a busy machine. */
        @Override
        public Duration timeout() {
            return Duration.ofMinutes(1);
        }

        @Override
        public BodyNeed body() {
            return authenticators.get(0).body();
        }

        @Override
        public boolean needsBody(FilterExchange exchange) {
            return authenticators.stream().anyMatch(each -> each.needsBody(exchange));
        }

        @Override
        public CompletionStage<? extends FilterOutcome> filter(FilterExchange exchange) {
            return ask(
                    exchange,
                    IntStream.range(0, authenticators.size())
                            .filter(i -> authenticators.get(i).isAddressedBy(exchange))
                            .findFirst()
                            .orElse(0));
        }

        private CompletionStage<FilterOutcome> ask(FilterExchange exchange, int i) {
            if (i == authenticators.size()) {
                return CompletableFuture.completedFuture(FilterOutcome.respond(401));
            }
            return authenticators.get(i).authenticate(exchange).thenCompose(result -> {
                if (result instanceof Authentication.Accepted accepted) {
                    exchange.addResponseHeader(
                            "x-user", String.valueOf(accepted.identity().subject()));
                    exchange.addResponseHeader(
                            "x-groups", String.valueOf(accepted.identity().claim("groups")));
                    return CompletableFuture.completedFuture(FilterOutcome.proceed());
                }
                if (result instanceof Authentication.Refused refused) {
                    return CompletableFuture.completedFuture(
                            FilterOutcome.respond(refused.status()).text(refused.detail()));
                }
                return result instanceof Authentication.Responded responded
                        ? CompletableFuture.completedFuture(responded.outcome())
                        : ask(exchange, i + 1);
            });
        }
    }

    private TestGateway(OidcExtension extension, OidcSettings settings, List<ProviderSettings> providers)
            throws Exception {
        this.extension = extension;
        OidcParts parts = extension.open(settings);
        FilterSet filters = FilterSet.of(new Authenticate(providers.stream()
                .map(provider -> new OidcAuthenticator(provider, parts))
                .toList()));
        this.origin = ScriptedOrigin.answering((request, connection) -> connection.send(
                Responses.of(200, request.target() + " " + request.values("cookie"), "Cache-Control: public")));
        GatewayConfig config = new ConfigReader(name -> null)
                .read("gateway.yml", """
                listeners: [{ name: main, address: "127.0.0.1:0" }]
                workers: 2
                routes: [{ id: all, upstream: origin }]
                upstreams: { origin: { endpoints: ["http://127.0.0.1:%d"] } }
                """.formatted(origin.port()))
                .config();
        this.gateway = Gateway.start(config, filters, ExchangeObserver.NONE);
    }

    static TestGateway start(OidcExtension extension, ProviderSettings... providers) throws Exception {
        return start(extension, shared(Map.of()), providers);
    }

    static TestGateway start(OidcExtension extension, OidcSettings settings, ProviderSettings... providers)
            throws Exception {
        return new TestGateway(extension, settings, List.of(providers));
    }

    /** Returns the settings of the extension. */
    static OidcSettings shared(Map<String, Object> changed) {
        Map<String, Object> values = new HashMap<>(Map.of("session-keys", List.of(new Secret(KEY)), "timeout", "30s"));
        values.putAll(changed);
        return OidcSettings.KEYS.read(PlainValues.of(values));
    }

    /** Returns the settings of a client of a provider. */
    static ProviderSettings client(String issuer, Map<String, Object> changed) {
        Map<String, Object> values = new HashMap<>(Map.of(
                "issuer",
                issuer,
                "client-id",
                "web",
                "client-secret",
                new Secret(TestProvider.SECRET),
                "redirect-uri",
                List.of("https://app.example.com/oidc/callback"),
                "login-path",
                "/oidc/login",
                "logout-path",
                "/oidc/logout",
                "front-channel-logout-path",
                "/oidc/front",
                "back-channel-logout-path",
                "/oidc/back"));
        values.putAll(changed);
        return ProviderSettings.KEYS.read(PlainValues.of(values));
    }

    InetSocketAddress address() {
        return gateway.address("main");
    }

    TestBrowser browser() {
        return new TestBrowser(address());
    }

    @Override
    public void close() {
        gateway.close();
        origin.close();
    }
}
