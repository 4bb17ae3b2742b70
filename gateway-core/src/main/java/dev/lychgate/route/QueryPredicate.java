package dev.lychgate.route;

import dev.lychgate.http.PercentDecoded;
import dev.lychgate.http.RequestHead;

/**
 * A query parameter is there with this value; of several of the same name, any. Name and value are compared after
 * percent-decoding as UTF-8; a plus sign is a plus sign. A parameter without an equals sign has the empty value.
 */
final class QueryPredicate extends ValuePredicate {
    QueryPredicate(String name, String text) {
        super("query", name, text);
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
}
