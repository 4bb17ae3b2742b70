package dev.lychgate.route;

import dev.lychgate.http.RequestHead;
import io.netty.handler.codec.http.HttpMethod;
import java.util.Set;
import java.util.TreeSet;

/**
 * The method is any of these. Who lists GET gets HEAD as well, since HEAD asks for the head of the same answer; a route
 * that is to treat HEAD differently lists it and comes earlier in the order.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9110#section-9.3.2">RFC 9110, 9.3.2 HEAD</a>
 */
final class MethodPredicate implements RoutePredicate {
    private final Set<String> named;
    private final Set<String> accepted;

    MethodPredicate(Iterable<String> methods) {
        Set<String> names = new TreeSet<>();
        methods.forEach(names::add);
        this.named = Set.copyOf(names);
        if (names.contains(HttpMethod.GET.name())) {
            names.add(HttpMethod.HEAD.name());
        }
        this.accepted = Set.copyOf(names);
    }

    @Override
    public boolean test(RequestHead head, Ingress ingress) {
        return accepted.contains(head.method().name());
    }

    @Override
    public boolean coveredBy(RoutePredicate held) {
        return held instanceof MethodPredicate methods && accepted.containsAll(methods.accepted);
    }

    @Override
    public String describe() {
        return "methods: " + String.join(", ", new TreeSet<>(named));
    }
}
