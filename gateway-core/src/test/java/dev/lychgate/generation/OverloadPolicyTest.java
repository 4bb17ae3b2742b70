package dev.lychgate.generation;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lychgate.chain.FilterSet;
import dev.lychgate.config.AccessLogConfig;
import dev.lychgate.config.BindAddress;
import dev.lychgate.config.ConfigException;
import dev.lychgate.config.EndpointConfig;
import dev.lychgate.config.GatewayConfig;
import dev.lychgate.config.LimitKey;
import dev.lychgate.config.ListenerConfig;
import dev.lychgate.config.OverloadConfig;
import dev.lychgate.config.OverloadPageConfig;
import dev.lychgate.config.OverloadStaleConfig;
import dev.lychgate.config.Percent;
import dev.lychgate.config.PriorityConfig;
import dev.lychgate.config.Transport;
import dev.lychgate.config.UpstreamConfig;
import dev.lychgate.error.ErrorKind;
import dev.lychgate.http.RequestHead;
import dev.lychgate.resilience.OverloadLadder.Rung;
import dev.lychgate.route.Ingress;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import java.net.InetAddress;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Priorities, shares and ladders of a generation. */
class OverloadPolicyTest {
    private static final OverloadConfig DEFAULT = OverloadConfig.DEFAULT;
    private static final Ingress ANONYMOUS = new Ingress.Known(InetAddress.getLoopbackAddress(), "main", false);

    /** A request whose sender has the claim {@code tier}. */
    private static final Ingress SENDER = new Ingress() {
        @Override
        public InetAddress clientAddress() {
            return ANONYMOUS.clientAddress();
        }

        @Override
        public String listener() {
            return ANONYMOUS.listener();
        }

        @Override
        public boolean isSecure(RequestHead head) {
            return false;
        }

        @Override
        public @Nullable Object claim(String path) {
            return path.equals("tier") ? "gold" : null;
        }
    };

    private static OverloadConfig with(int reserve, @Nullable PriorityConfig priority) {
        return new OverloadConfig(
                DEFAULT.lag(),
                DEFAULT.directMemory(),
                DEFAULT.heap(),
                new Percent(reserve),
                priority,
                DEFAULT.brownout(),
                null,
                null,
                DEFAULT.hold());
    }

    private static GatewayConfig config(@Nullable OverloadConfig overload, String... upstreams) {
        Map<String, UpstreamConfig> named = new LinkedHashMap<>();
        for (String name : upstreams) {
            named.put(name, UpstreamConfig.of(name, EndpointConfig.parse("http://127.0.0.1:1")));
        }
        return new GatewayConfig(
                        1,
                        Transport.NIO,
                        Duration.ZERO,
                        List.of(ListenerConfig.of("test", new BindAddress("127.0.0.1", 0))),
                        List.of(),
                        named,
                        null,
                        AccessLogConfig.DEFAULT)
                .withOverload(overload);
    }

    private static Generation generation(@Nullable OverloadConfig overload, String... upstreams) {
        return Generation.first(config(overload, upstreams), FilterSet.EMPTY, 1);
    }

    private static OverloadPolicy policy(OverloadConfig overload, String... upstreams) {
        return requireNonNull(generation(overload, upstreams).overload());
    }

    private static RequestHead request(String... fields) {
        DefaultHttpHeaders headers = new DefaultHttpHeaders();
        for (int i = 0; i < fields.length; i += 2) {
            headers.add(fields[i], fields[i + 1]);
        }
        return new RequestHead(HttpMethod.GET, false, "/", "tier=free", "a", headers);
    }

    @Test
    void aGenerationWithoutTheSectionHasNoPolicy() {
        assertThat(generation(null, "api").overload()).isNull();
    }

    @ParameterizedTest
    @CsvSource({"10, 9, 1", "10, 0, 0.9", "10, 5, 0.95556", "50, 0, 0.5", "0, 0, 1", "18, 4, 0.9"})
    void thePartOfALimitFallsWithThePriority(int reserve, int priority, double part) {
        assertThat(policy(with(reserve, null)).share(priority).part())
                .isCloseTo(part, org.assertj.core.data.Offset.offset(1e-5));
    }

    @Test
    void onlyTheHighestPriorityIsExemptFromMeasurements() {
        OverloadPolicy policy = policy(DEFAULT);

        assertThat(policy.share(9).isHighest()).isTrue();
        assertThat(policy.share(8).isHighest()).isFalse();
    }

    @Test
    void aListedValueSelectsThePriorityAndAnyOtherLeavesThatOfTheRoute() {
        PriorityConfig byTier = new PriorityConfig(LimitKey.parse("header:x-tier"), Map.of("gold", 9, "free", 1));
        OverloadPolicy policy = policy(with(10, byTier));

        assertThat(policy.priority(request("x-tier", "gold"), SENDER, "r", 5)).isEqualTo(9);
        assertThat(policy.priority(request("x-tier", "free"), SENDER, "r", 5)).isEqualTo(1);
        assertThat(policy.priority(request("x-tier", "Gold"), SENDER, "r", 5)).isEqualTo(5);
        assertThat(policy.priority(request("x-tier", ""), SENDER, "r", 5)).isEqualTo(5);
        assertThat(policy.priority(request(), SENDER, "r", 7)).isEqualTo(7);
    }

    @Test
    void parametersAndCookiesSelectPriorities() {
        OverloadPolicy byQuery = policy(with(10, new PriorityConfig(LimitKey.parse("query:tier"), Map.of("free", 2))));
        OverloadPolicy byCookie = policy(with(10, new PriorityConfig(LimitKey.parse("cookie:tier"), Map.of("x", 3))));

        assertThat(byQuery.priority(request(), SENDER, "r", 5)).isEqualTo(2);
        assertThat(byCookie.priority(request("cookie", "tier=x"), SENDER, "r", 5))
                .isEqualTo(3);
    }

    @Test
    void claimsSelectPriorities() {
        OverloadPolicy policy =
                policy(with(10, new PriorityConfig(LimitKey.parse("claim:tier"), Map.of("gold", 9, "free", 1))));

        assertThat(policy.priority(request("x-tier", "free"), SENDER, "r", 5)).isEqualTo(9);
        assertThat(policy.priority(request("x-tier", "free"), ANONYMOUS, "r", 5))
                .isEqualTo(5);
    }

    @Test
    void aKeyThatIsNoPartOfTheRequestIsRefused() {
        for (String key : new String[] {"client", "route"}) {
            assertThatThrownBy(() -> new PriorityConfig(LimitKey.parse(key), Map.of("a", 1)))
                    .isInstanceOf(ConfigException.class)
                    .hasMessage("key: " + key + " (expected: header:NAME, cookie:NAME, query:NAME or claim:NAME)");
        }
    }

    private static OverloadConfig after(@Nullable Integer stale, @Nullable Integer page) {
        return new OverloadConfig(
                DEFAULT.lag(),
                DEFAULT.directMemory(),
                DEFAULT.heap(),
                DEFAULT.reserve(),
                null,
                Duration.ofSeconds(1),
                stale == null ? null : new OverloadStaleConfig(Duration.ofMillis(stale), Duration.ofHours(1), 7),
                page == null ? null : new OverloadPageConfig(Duration.ofMillis(page), 503, Map.of(), "later"),
                DEFAULT.hold());
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "none",
            value = {
                "none, 500, 'page.after: 500ms (expected: at least brownout, 1s)'",
                "999, none, 'stale.after: 999ms (expected: at least brownout, 1s)'",
                "500, 500, 'stale.after: 500ms (expected: at least brownout, 1s)'",
                "3000, 2000, 'page.after: 2s (expected: at least stale.after, 3s)'",
            })
    void rungsInAnotherOrderAreRefused(@Nullable Integer stale, @Nullable Integer page, String message) {
        assertThatThrownBy(() -> after(stale, page)).hasMessage(message);
    }

    @Test
    void rungsMayFollowEachOtherAtOnce() {
        OverloadPolicy policy = policy(after(1000, 1000));

        assertThat(policy.has(Rung.STALE)).isTrue();
        assertThat(policy.has(Rung.PAGE)).isTrue();
        assertThat(policy(DEFAULT).has(Rung.STALE)).isFalse();
    }

    @Test
    void theLadderOfAnUpstreamLastsAcrossGenerationsWithOtherSettings() {
        Generation before = generation(DEFAULT, "api", "old");
        requireNonNull(before.overload()).shed("api", ErrorKind.BULKHEAD_FULL);
        requireNonNull(before.overload()).shed("unknown", ErrorKind.BULKHEAD_FULL);
        Generation after = before.next(config(with(20, null), "api", "new"), FilterSet.EMPTY, 1);
        OverloadPolicy policy = requireNonNull(after.overload());

        assertThat(policy.ladders()).containsOnlyKeys("api", "new");
        assertThat(requireNonNull(policy.ladders().get("api")).shed()).isOne();
        assertThat(requireNonNull(policy.ladders().get("new")).shed()).isZero();
    }
}
