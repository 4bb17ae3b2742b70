package dev.lychgate.server.explain;

import dev.lychgate.access.AuthenticateFilter;
import dev.lychgate.access.AuthenticateSection;
import dev.lychgate.chain.FilterChains;
import dev.lychgate.chain.FilterSet;
import dev.lychgate.config.IpLiteral;
import dev.lychgate.config.RouteAction;
import dev.lychgate.filter.Filter;
import dev.lychgate.filter.FilterExchange;
import dev.lychgate.filter.FilterOutcome;
import dev.lychgate.filter.FilterPhase;
import dev.lychgate.filter.SyncFilter;
import dev.lychgate.filters.testing.TestExchange;
import dev.lychgate.filters.testing.TestResult;
import dev.lychgate.route.Route;
import dev.lychgate.server.filters.FilterSight;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Finds the filters that would run for a hypothetical request. No filter runs. The conditions of filters are evaluated
 * for the original request, without the changes that other filters would make.
 */
public final class FilterInquiry {
    private FilterInquiry() {}

    /**
     * A filter on the path of the request.
     *
     * @param remark the reason why the filter would not run, a condition under which it runs, or the way in which an
     *     authenticator or authorizer decides; empty for other filters
     */
    public record Answer(FilterSight filter, String remark) {}

    /**
     * Returns the filters on the path of a request.
     *
     * @param chains the filter chains; null for none
     * @param listener the name of the listener
     * @param route the matching route; null if none matches
     */
    static List<Answer> ask(@Nullable FilterChains chains, String listener, Inquiry inquiry, @Nullable Route route) {
        if (chains == null) {
            return List.of();
        }
        List<FilterSight> filters = FilterSight.of(chains, listener, route == null ? null : route.id());
        Map<Filter, String> verdicts = verdicts(filters, inquiry, route);
        return filters.stream()
                .map(filter ->
                        new Answer(filter, verdicts.getOrDefault(filter.slot().filter(), otherwise(filter, route))))
                .toList();
    }

    private static String otherwise(FilterSight filter, @Nullable Route route) {
        if (isDisabled(filter, route)) {
            return "disabled by an operator";
        }
        if (filter.slot().filter() instanceof AuthenticateFilter authenticate) {
            return words(authenticate.section());
        }
        if (filter.slot().isGuard()) {
            return filter.slot().filter().remark();
        }
        // Without a route, the exchange fails, so the error filters run.
        return filter.slot().phase() == FilterPhase.ERROR && route != null ? "if the exchange fails" : "";
    }

    /** Returns the names of the authenticators, in their order. */
    private static String words(AuthenticateSection section) {
        String names = section.authenticators().stream()
                .map(AuthenticateSection.Named::name)
                .collect(Collectors.joining(" or "));
        return section.config().optional() ? names + ", optional" : names;
    }

    private static boolean isDisabled(FilterSight filter, @Nullable Route route) {
        return filter.slot().isDisabled(filter.beforeRouting() || route == null ? null : route.id());
    }

    private static Map<Filter, String> verdicts(List<FilterSight> filters, Inquiry inquiry, @Nullable Route route) {
        Map<Filter, String> verdicts = new HashMap<>();
        FilterSet asked = FilterSet.EMPTY;
        for (int i = 0; i < filters.size(); i++) {
            FilterSight sight = filters.get(i);
            FilterPhase phase = sight.slot().phase();
            boolean asks = !sight.slot().isGuard() && (phase == FilterPhase.INBOUND || phase == FilterPhase.ENDPOINT);
            if (asks && !isDisabled(sight, route)) {
                Question question = new Question(sight.slot().filter(), i, verdicts);
                asked = sight.beforeRouting() || route == null
                        ? asked.with(List.of(question))
                        : asked.with(question, Set.of(route.id()));
            }
        }
        TestExchange exchange = TestExchange.of(
                        inquiry.method(), inquiry.path() + (inquiry.query() == null ? "" : "?" + inquiry.query()))
                .host(inquiry.host())
                .client(IpLiteral.text(inquiry.client()))
                .route(route == null ? null : route.id());
        inquiry.fields().forEach(field -> exchange.header(field.getKey(), field.getValue()));
        if (route != null && route.action() instanceof RouteAction.Proxy proxy) {
            exchange.upstream(proxy.upstream());
        }
        try (TestResult result = exchange.through(asked)) {
            result.getStatus();
        } catch (IllegalArgumentException e) {
            // The listener accepts this path but the test exchange does not, so the conditions of the filters can't be
            // evaluated.
            verdicts.clear();
        }
        return verdicts;
    }

    /** Replaces a filter, and records whether the replaced filter applies. */
    private record Question(Filter about, int order, Map<Filter, String> verdicts) implements SyncFilter {
        @Override
        public String name() {
            return order + " " + about.name();
        }

        @Override
        public FilterPhase phase() {
            return about.phase();
        }

        @Override
        public FilterOutcome filter(FilterExchange exchange) {
            try {
                if (!about.applies(exchange)) {
                    verdicts.put(about, "does not apply");
                }
            } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError e) {
                verdicts.put(about, "the condition of the filter fails: " + e);
            }
            return exchange.proceed();
        }
    }
}
