package dev.lychgate.route;

import dev.lychgate.config.MatchConfig.Scheme;
import dev.lychgate.http.RequestHead;
import java.util.Locale;

/** The client sent the request over TLS, or without it. */
record SchemePredicate(Scheme scheme) implements RoutePredicate {
    @Override
    public boolean test(RequestHead head, Ingress ingress) {
        return ingress.isSecure(head) == (scheme == Scheme.HTTPS);
    }

    @Override
    public boolean coveredBy(RoutePredicate held) {
        return equals(held);
    }

    @Override
    public String describe() {
        return "scheme: " + scheme.name().toLowerCase(Locale.ROOT);
    }
}
