package dev.lychgate.route;

import dev.lychgate.http.PercentDecoded;
import dev.lychgate.http.RequestHead;

/**
 * A query parameter is there with this value; of several of the same name, any. Name and value are compared after
 * percent-decoding as UTF-8; a plus sign is a plus sign. A parameter without an equals sign has the empty value.
 */
final class QueryPredicate implements RoutePredicate {
    private final String name;
    private final String text;
    private final ValuePattern value;

    /** @throws IllegalArgumentException with what was expected of the value */
    QueryPredicate(String name, String text) {
        this.name = name;
        this.text = text;
        this.value = ValuePattern.parse(text);
    }

    @Override
    public boolean test(RequestHead head, Ingress ingress) {
        String query = head.query();
        if (query == null) {
            return false;
        }
        int from = 0;
        while (from <= query.length()) {
            int end = query.indexOf('&', from);
            if (end < 0) {
                end = query.length();
            }
            if (end > from && holds(query, from, end)) {
                return true;
            }
            from = end + 1;
        }
        return false;
    }

    private boolean holds(String query, int from, int end) {
        int equals = query.indexOf('=', from);
        int nameEnd = equals < 0 || equals > end ? end : equals;
        return PercentDecoded.equals(query, from, nameEnd, name)
                && value.matches(PercentDecoded.text(query, Math.min(nameEnd + 1, end), end));
    }

    @Override
    public boolean coveredBy(RoutePredicate held) {
        return held instanceof QueryPredicate parameter && name.equals(parameter.name) && value.covers(parameter.value);
    }

    @Override
    public String describe() {
        return "query." + name + ": " + text;
    }
}
