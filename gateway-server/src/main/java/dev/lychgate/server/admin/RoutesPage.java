package dev.lychgate.server.admin;

import dev.lychgate.config.RouteAction;
import dev.lychgate.generation.FaultPlan;
import dev.lychgate.generation.Generation;
import dev.lychgate.route.Route;
import dev.lychgate.server.explain.ExplanationJson;
import dev.lychgate.server.explain.FaultText;
import dev.lychgate.server.filters.FilterSight;
import dev.lychgate.server.json.Json;
import dev.lychgate.server.json.Shape;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** {@code /routes}: every route, in the order of the file, with the filters that run on it. */
final class RoutesPage {
    private record Row(Route route, List<FilterSight> filters, List<String> faults) {}

    private static final Shape<RouteAction.Proxy> PROXY = new Shape<RouteAction.Proxy>("ProxyAction")
            .text("upstream", "The upstream that gets the requests.", RouteAction.Proxy::upstream)
            .optionalText("subset", "The subset of endpoints in use; missing if all are in use.", RoutesPage::subset);

    private static final Shape<RouteAction> ACTION = new Shape<RouteAction>("RouteAction")
            .field("type", Json.words("proxy", "redirect", "respond"), "The kind of action.", RoutesPage::type)
            .includeOptional(PROXY, action -> action instanceof RouteAction.Proxy proxy ? proxy : null)
            .optional("status", Json.INTEGER, "The status of redirects and responses.", RoutesPage::status)
            .optionalText("location", "The target of a redirect.", RoutesPage::location);

    private static final Shape<List<FilterSight>> FILTERS = new Shape<List<FilterSight>>("RouteFilters")
            .list("filters", ExplanationJson.FILTER, "The filters that run, in their order.", filters -> filters);

    private static final Shape<Row> ROUTE = new Shape<Row>("Route")
            .text("id", "The id of the route.", row -> row.route.id())
            .integer(
                    "order",
                    "The position of the route among all routes.",
                    row -> row.route.config().order())
            .optional(
                    "labels",
                    Json.map(Json.TEXT),
                    "The labels of the route.",
                    row -> row.route.config().labels().isEmpty()
                            ? null
                            : row.route.config().labels())
            .list("predicates", Json.TEXT, "The predicates that a request must match.", row -> row.route.predicates())
            .field("action", ACTION, "The action.", row -> row.route.action())
            .include(FILTERS, Row::filters)
            .optional(
                    "faults",
                    Json.list(Json.TEXT),
                    "The active faults of the route, in words.",
                    row -> row.faults.isEmpty() ? null : row.faults);

    static final Shape<Generation> SHAPE = new Shape<Generation>("Routes", "The routes in use, with their filters.")
            .integer("generation", "The number of the generation.", Generation::number)
            .list("routes", ROUTE, "Every route.", RoutesPage::rows)
            .field(
                    "no_route",
                    FILTERS,
                    "The filters that run if no route matches.",
                    all -> FilterSight.of(all.filters(), null, null));

    private RoutesPage() {}

    private static String subset(RouteAction.Proxy proxy) {
        return proxy.subset().isEmpty() ? "" : proxy.subset().toString();
    }

    private static String type(RouteAction action) {
        return action.getClass().getSimpleName().toLowerCase(Locale.ROOT);
    }

    private static String location(RouteAction action) {
        return action instanceof RouteAction.Redirect redirect ? redirect.location() : "";
    }

    private static List<Row> rows(Generation all) {
        return all.routes().routes().stream()
                .map(route -> new Row(route, FilterSight.of(all.filters(), null, route.id()), faults(all, route)))
                .toList();
    }

    private static List<String> faults(Generation all, Route route) {
        FaultPlan plan = all.faults();
        return plan == null
                ? List.of()
                : plan.active(Instant.now()).stream()
                        .filter(fault -> fault.concerns(route))
                        .map(FaultText::of)
                        .toList();
    }

    private static @Nullable Integer status(RouteAction action) {
        if (action instanceof RouteAction.Redirect redirect) {
            return redirect.status();
        }
        return action instanceof RouteAction.Respond respond ? respond.status() : null;
    }
}
