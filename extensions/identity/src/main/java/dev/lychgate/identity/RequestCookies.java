package dev.lychgate.identity;

import dev.lychgate.filter.FilterRequest;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads the values of all cookies with one name. {@link FilterRequest#cookie} returns only the first of these values.
 */
final class RequestCookies {
    private RequestCookies() {}

    /** Returns the values of all cookies with this name, in their order and with their quotes. */
    static List<String> values(FilterRequest request, String name) {
        List<String> values = new ArrayList<>(1);
        for (String field : request.getHeaders().getAll("cookie")) {
            for (String pair : field.split(";", -1)) {
                int equals = pair.indexOf('=');
                if (equals > 0 && pair.substring(0, equals).strip().equals(name)) {
                    values.add(pair.substring(equals + 1).strip());
                }
            }
        }
        return values;
    }
}
