package dev.lychgate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lychgate.config.ConfigException;
import dev.lychgate.config.FilterConfig;
import dev.lychgate.config.FiltersConfig;
import dev.lychgate.config.GatewayConfig;
import dev.lychgate.config.MatchConfig;
import dev.lychgate.config.RouteAction;
import dev.lychgate.config.RouteConfig;
import dev.lychgate.filter.Filter;
import dev.lychgate.filter.FilterExchange;
import dev.lychgate.filter.FilterOutcome;
import dev.lychgate.filter.InboundFilter;
import dev.lychgate.filter.OutboundFilter;
import dev.lychgate.filter.Setting;
import dev.lychgate.filter.SyncFilter;
import dev.lychgate.server.engine.DataPlaneEngine;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RawMessage;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Filters that the class path, the program around the gateway or a Spring context brings. */
@Tag("slow")
class FiltersOfOthersTest {
    private static final RouteConfig ROUTE = new RouteConfig(
            "all",
            0,
            MatchConfig.ANY,
            dev.lychgate.config.RewriteConfig.NONE,
            new RouteAction.Respond(200, Map.of(), "hello"),
            dev.lychgate.config.RouteTimeouts.UNSET);

    @Test
    void findsServicesOfTheClassPathByTheirName() throws Exception {
        LychgateBuilder builder = builder(ROUTE.withFilters(FilterConfig.of("served-by")));
        try (Lychgate gateway = builder.start()) {
            assertThat(get(gateway).values("x-served-by")).containsExactly("a service");

            gateway.apply(builder.filters(FiltersConfig.global(
                            new FilterConfig("add-response-header", Map.of("name", "x-served-by", "value", "first"))))
                    .config());
            assertThat(get(gateway).values("x-served-by")).containsExactly("a service", "first");
        }
    }

    @Test
    void runsNoServiceWithoutAReference() throws Exception {
        try (Lychgate gateway = builder(ROUTE).start()) {
            assertThat(get(gateway).has("x-served-by")).isFalse();
        }
    }

    @Test
    void refusesUnknownNamesAndKeepsTheRunningGeneration() throws Exception {
        GatewayConfig unknown =
                builder(ROUTE.withFilters(FilterConfig.of("served-bye"))).config();
        assertThat(new DataPlaneEngine().faults(unknown))
                .extracting(ConfigException::getMessage)
                .containsExactly("routes[0].filters[0]: served-bye (expected: a filter; did you mean 'served-by'?)");
        try (Lychgate gateway =
                builder(ROUTE.withFilters(FilterConfig.of("served-by"))).start()) {
            assertThatThrownBy(() -> gateway.apply(unknown)).isInstanceOf(ConfigException.class);
            assertThat(get(gateway).has("x-served-by")).isTrue();
        }
    }

    /** A filter in Java with settings. */
    private record Stamp(Settings settings) implements OutboundFilter, SyncFilter {
        enum Style {
            PLAIN,
            VERY_LOUD
        }

        record Settings(
                @Setting(about = "the value of the field") String value,

                @Setting(min = "1", max = "9", defaultValue = "1")
                int times,

                @Setting(defaultValue = "plain") Style style,
                @Setting(optional = true) List<Duration> waits) {
            @SuppressWarnings("UnusedMethod") // called by reflection
            Settings {
                if (value.isBlank()) {
                    throw new IllegalArgumentException("a value that is not blank");
                }
            }
        }

        @Override
        public FilterOutcome filter(FilterExchange exchange) {
            String text = settings.value.repeat(settings.times) + settings.style + settings.waits;
            exchange.getResponse().getHeaders().add("x-stamp", text);
            return exchange.proceed();
        }
    }

    private static LychgateBuilder stamping(FilterConfig... filters) {
        return builder(ROUTE.withFilters(filters)).namedFilter("Stamp", Stamp.Settings.class, Stamp::new);
    }

    private static FilterConfig stamp(Map<String, Object> settings) {
        return new FilterConfig("Stamp", settings);
    }

    @Test
    void createsAFilterForTheSettingsOfEachPlace() throws Exception {
        LychgateBuilder builder = stamping(
                stamp(Map.of("value", "a")),
                stamp(Map.of("value", "b", "times", 2, "style", "very-loud", "waits", List.of(Duration.ofSeconds(1)))));
        try (Lychgate gateway = builder.start()) {
            assertThat(get(gateway).values("x-stamp")).containsExactly("aPLAIN[]", "bbVERY_LOUD[PT1S]");
            gateway.apply(stamping(stamp(Map.of("value", "c"))).config());
            assertThat(get(gateway).values("x-stamp")).containsExactly("cPLAIN[]");
        }
    }

    @Test
    void refusesSettingsThatTheRecordDoesNotAccept() throws Exception {
        try (Lychgate gateway = stamping(stamp(Map.of("value", "a"))).start()) {
            assertThat(Stream.of(
                            Map.<String, Object>of(),
                            Map.<String, Object>of("value", "a", "times", 10),
                            Map.<String, Object>of("value", "a", "wait", "1s"),
                            Map.<String, Object>of("value", " ")))
                    .map(settings -> {
                        try {
                            gateway.apply(stamping(stamp(settings)).config());
                            return "applied";
                        } catch (ConfigException e) {
                            return e.getMessage();
                        }
                    })
                    .containsExactly(
                            "routes[0].filters[0].Stamp.value: missing (expected: the value of the field)",
                            "routes[0].filters[0].Stamp.times: 10 (expected: 1 to 9)",
                            "routes[0].filters[0].Stamp.wait: unknown setting, did you mean 'waits'? (expected: one of"
                                    + " value, times, style, waits)",
                            "routes[0].filters[0].Stamp: refused by the filter (expected: a value that is not blank)");
            assertThat(get(gateway).values("x-stamp")).containsExactly("aPLAIN[]");
        }
        assertThatThrownBy(() -> stamping(stamp(Map.of("value", "a")))
                        .namedFilter("Stamp", Stamp.Settings.class, Stamp::new)
                        .start())
                .hasMessageContaining("different names for");
    }

    @Test
    void reportsAFailedSelfCheckBeforeTheStart() {
        FilterConfig twice = new FilterConfig("respond", Map.of("body", "a"));
        assertThat(new DataPlaneEngine()
                        .faults(builder(ROUTE.withFilters(twice)).config()))
                .isEmpty();
        assertThatThrownBy(() -> builder(ROUTE.withFilters(FilterConfig.of("broken")))
                        .namedFilter(new Broken())
                        .start())
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("filter broken failed its self-check");
    }

    @Test
    void acceptsTheBeansOfASpringContext() throws Exception {
        try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext(Beans.class)) {
            LychgateBuilder builder = builder(ROUTE.withFilters(FilterConfig.of("named-bean")));
            builder.namedFilter(context.getBean("named", Filter.class));
            context.getBeansOfType(Branding.class).values().forEach(builder::filter);
            try (Lychgate gateway = builder.start()) {
                RawMessage response = get(gateway);
                assertThat(response.values("x-brand")).containsExactly("acme");
                assertThat(response.values("x-named")).containsExactly("yes");
            }
        }
    }

    private static LychgateBuilder builder(RouteConfig route) {
        return Lychgate.builder().listener("main", "127.0.0.1:0").workers(1).route(route);
    }

    private static RawMessage get(Lychgate gateway) throws Exception {
        try (RawClient client =
                RawClient.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), gateway.port("main")))) {
            return client.get("/");
        }
    }

    @Configuration
    static class Beans {
        @Bean
        String brand() {
            return "acme";
        }

        @Bean
        Branding branding(String brand) {
            return new Branding("Branding", "x-brand", brand);
        }

        @Bean
        Filter named() {
            return new Named();
        }
    }

    private static class Branding implements OutboundFilter, SyncFilter {
        private final String name;
        private final String field;
        private final String value;

        Branding(String name, String field, String value) {
            this.name = name;
            this.field = field;
            this.value = value;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public FilterOutcome filter(FilterExchange exchange) {
            exchange.getResponse().getHeaders().set(field, value);
            return exchange.proceed();
        }
    }

    private static final class Named implements OutboundFilter, SyncFilter {
        @Override
        public String name() {
            return "named-bean";
        }

        @Override
        public FilterOutcome filter(FilterExchange exchange) {
            exchange.getResponse().getHeaders().set("x-named", "yes");
            return exchange.proceed();
        }
    }

    private static final class Broken implements InboundFilter, SyncFilter {
        @Override
        public String name() {
            return "broken";
        }

        @Override
        public FilterOutcome filter(FilterExchange exchange) {
            return exchange.proceed();
        }

        @Override
        public void selfCheck() {
            throw new IllegalStateException("no rules");
        }
    }
}
