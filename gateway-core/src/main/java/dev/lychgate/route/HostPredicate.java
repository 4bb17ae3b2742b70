package dev.lychgate.route;

import dev.lychgate.http.RequestHead;
import java.util.List;
import java.util.stream.Collectors;

/** The request is for any of these hosts. */
record HostPredicate(List<HostPattern> hosts) implements RoutePredicate {
    @Override
    public boolean test(RequestHead head, Ingress ingress) {
        for (HostPattern host : hosts) {
            if (host.matches(head.host())) {
                return true;
            }
        }
        return false;
    }

    @Override
    public String describe() {
        return "host: " + hosts.stream().map(HostPattern::toString).sorted().collect(Collectors.joining(", "));
    }
}
