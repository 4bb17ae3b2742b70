package dev.lychgate.route;

import dev.lychgate.config.MatchConfig;
import dev.lychgate.config.RouteConfig;
import dev.lychgate.http.RequestHead;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** A simple search for routes: sorts them, and tries one after the other. */
final class LinearScan {
    /** Lower comes first, compared value by value. */
    private record Candidate(RouteConfig route, @Nullable String host, List<Integer> sortKey) {}

    private final List<RouteConfig> configs;
    private final List<Candidate> sorted = new ArrayList<>();

    LinearScan(List<RouteConfig> configs) {
        this.configs = configs;
        for (int i = 0; i < configs.size(); i++) {
            RouteConfig route = configs.get(i);
            if (route.match().hosts().isEmpty()) {
                sorted.add(new Candidate(route, null, sortKey(route, null, i)));
            }
            for (String host : route.match().hosts()) {
                sorted.add(new Candidate(route, host, sortKey(route, host, i)));
            }
        }
        sorted.sort((a, b) -> compare(a.sortKey, b.sortKey));
    }

    String match(RequestHead head, Ingress ingress, RandomGenerator random) {
        for (Candidate candidate : sorted) {
            MatchConfig match = candidate.route.match();
            boolean served = match.weight() == null || match.weight().share() > 0;
            if (served && hostMatches(candidate.host, head) && restMatches(match, head, ingress)) {
                return match.weight() == null
                        ? candidate.route.id()
                        : draw(match.weight().group(), head, ingress, random);
            }
        }
        return "none";
    }

    private String draw(String group, RequestHead head, Ingress ingress, RandomGenerator random) {
        List<String> tickets = new ArrayList<>();
        List<String> members = new ArrayList<>();
        for (RouteConfig route : configs) {
            MatchConfig match = route.match();
            if (match.weight() != null
                    && match.weight().group().equals(group)
                    && match.weight().share() > 0
                    && (match.hosts().isEmpty() || match.hosts().stream().anyMatch(h -> hostMatches(h, head)))
                    && restMatches(match, head, ingress)) {
                members.add(route.id());
                for (int i = 0; i < match.weight().share(); i++) {
                    tickets.add(route.id());
                }
            }
        }
        return members.size() == 1 ? members.get(0) : tickets.get((int) random.nextLong((long) tickets.size()));
    }

    private static int compare(List<Integer> one, List<Integer> other) {
        for (int i = 0; i < one.size(); i++) {
            int order = one.get(i).compareTo(other.get(i));
            if (order != 0) {
                return order;
            }
        }
        return 0;
    }

    private static List<Integer> sortKey(RouteConfig route, @Nullable String host, int position) {
        MatchConfig match = route.match();
        int hostKey = host == null ? 1000 : host.startsWith("*.") ? 500 - host.length() : 0;
        String path = match.path();
        int pathKey;
        int literals = 0;
        if (path == null) {
            pathKey = 3;
        } else if (path.startsWith("regex:")) {
            pathKey = 2;
        } else if (path.contains("{") || path.endsWith("/**")) {
            pathKey = 1;
            for (String segment : path.split("/", -1)) {
                literals += segment.isEmpty() || segment.equals("**") || segment.startsWith("{") ? 0 : 1;
            }
        } else {
            pathKey = 0;
        }
        int further = (match.methods().isEmpty() ? 0 : 1)
                + match.headers().size()
                + match.query().size()
                + match.cookies().size()
                + (match.clients().isEmpty() ? 0 : 1)
                + (match.listeners().isEmpty() ? 0 : 1)
                + (match.scheme() == null ? 0 : 1)
                + (match.not().isEmpty() ? 0 : 1)
                + (match.any().isEmpty() ? 0 : 1);
        return List.of(route.order(), hostKey, pathKey, -literals, -further, position);
    }

    private static boolean hostMatches(@Nullable String pattern, RequestHead head) {
        if (pattern == null) {
            return true;
        }
        return pattern.startsWith("*.")
                ? head.host().endsWith(pattern.substring(1))
                : head.host().equals(pattern);
    }

    private static boolean restMatches(MatchConfig match, RequestHead head, Ingress ingress) {
        List<String> methods = match.methods();
        String method = head.method().name();
        if (!methods.isEmpty() && !methods.contains(method) && !(method.equals("HEAD") && methods.contains("GET"))) {
            return false;
        }
        for (Map.Entry<String, String> header : match.headers().entrySet()) {
            String value = head.headers().get(header.getKey());
            if (value == null
                    || !(header.getValue().equals("*") || header.getValue().equals(value))) {
                return false;
            }
        }
        for (Map.Entry<String, String> parameter : match.query().entrySet()) {
            String query = "&" + head.query() + "&";
            if (!query.contains("&" + parameter.getKey() + "=" + parameter.getValue() + "&")) {
                return false;
            }
        }
        String cookies = "; " + head.headers().get("cookie") + ";";
        for (Map.Entry<String, String> cookie : match.cookies().entrySet()) {
            if (!cookies.contains("; " + cookie.getKey() + "=" + cookie.getValue() + ";")) {
                return false;
            }
        }
        if (!match.listeners().isEmpty() && !match.listeners().contains(ingress.listener())) {
            return false;
        }
        if (match.scheme() != null && (match.scheme() == MatchConfig.Scheme.HTTPS) != ingress.isSecure(head)) {
            return false;
        }
        if (match.not().stream().anyMatch(group -> restMatches(group, head, ingress))) {
            return false;
        }
        if (!match.any().isEmpty() && match.any().stream().noneMatch(group -> restMatches(group, head, ingress))) {
            return false;
        }
        return (match.clients().isEmpty()
                        || ingress.clientAddress().getHostAddress().startsWith("10."))
                && pathMatches(match.path(), head.path());
    }

    private static boolean pathMatches(@Nullable String pattern, String path) {
        if (pattern == null) {
            return true;
        }
        String regex = pattern.startsWith("regex:")
                ? pattern.substring(6)
                : pattern.replaceAll("\\{[^}]*}", "[^/]+").replaceAll("/\\*\\*$", "(/.*)?");
        return path.matches(regex);
    }
}
