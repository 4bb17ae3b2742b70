package dev.lychgate.route;

import dev.lychgate.http.RequestHead;
import dev.lychgate.route.RouteExplanation.Considered;
import dev.lychgate.route.RouteExplanation.Verdict;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Says what became of each route; takes its time, and shares nothing with the index but the entry it found. */
final class RouteExplainer {
    private final RequestHead head;
    private final Ingress ingress;
    private final List<Route> takers;

    RouteExplainer(RequestHead head, Ingress ingress, @Nullable RouteEntry found) {
        this.head = head;
        this.ingress = ingress;
        if (found == null) {
            this.takers = List.of();
        } else {
            this.takers = found.group() == null
                    ? List.of(found.route())
                    : found.group().matching(head, ingress);
        }
    }

    /** @param inOrder every route's every place, in order; a route is told of once, at its first */
    RouteExplanation explain(List<RouteOrder.Place> inOrder) {
        Set<Route> routes = new LinkedHashSet<>();
        inOrder.forEach(place -> routes.add(place.route()));
        List<Considered> considered = new ArrayList<>();
        for (Route route : routes) {
            considered.add(consider(route));
        }
        return new RouteExplanation(takers.stream().map(Route::id).toList(), considered);
    }

    private Considered consider(Route route) {
        RoutePredicate failed = route.firstFailed(head, ingress);
        if (failed != null) {
            return new Considered(route.id(), Verdict.FAILED, failed.describe());
        }
        if (!route.takesTraffic()) {
            return new Considered(route.id(), Verdict.NO_TRAFFIC, null);
        }
        if (!takers.contains(route)) {
            return new Considered(route.id(), Verdict.BEHIND, null);
        }
        if (takers.size() == 1) {
            return new Considered(route.id(), Verdict.MATCHED, null);
        }
        long sum = takers.stream().mapToLong(WeightGroup::share).sum();
        return new Considered(route.id(), Verdict.SHARES, WeightGroup.share(route) + " of " + sum);
    }
}
