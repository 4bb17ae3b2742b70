package dev.lychgate.authorization;

import dev.lychgate.filter.Headers;
import dev.lychgate.http.FieldSyntax;
import dev.lychgate.http.ForwardingFields;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Selects the header fields that the gateway passes between the client, the authorization service and the origin. */
final class CheckedFields {
    private CheckedFields() {}

    /**
     * Returns the request fields that a service receives, by their names in lower case. Fields with the same name are
     * joined.
     *
     * @param names the names in lower case, or {@link ExtAuthzSettings#ALL}
     */
    static Map<String, String> sent(Headers headers, List<String> names) {
        Map<String, String> sent = new LinkedHashMap<>();
        if (names.contains(ExtAuthzSettings.ALL)) {
            headers.forEach((name, value) -> {
                if (FieldSyntax.isSettable(name) && !isOfProxies(name)) {
                    String key = name.toLowerCase(Locale.ROOT);
                    sent.merge(key, value, (first, next) -> first + separator(key) + next);
                }
            });
        } else {
            for (String name : names) {
                List<String> values = headers.getAll(name);
                if (!values.isEmpty()) {
                    sent.put(name, String.join(separator(name), values));
                }
            }
        }
        return sent;
    }

    private static String separator(String name) {
        return name.equals("cookie") ? "; " : ", ";
    }

    /** Returns whether only the gateway and trusted proxies may set the field. */
    static boolean isOfProxies(String name) {
        return ForwardingFields.contains(name)
                || ForwardingFields.isProxy(name)
                || name.equalsIgnoreCase("via")
                || name.regionMatches(true, 0, "proxy-", 0, 6);
    }

    /** Returns whether a service may remove the request field. */
    static boolean isRemovable(String name) {
        return FieldSyntax.isName(name) && FieldSyntax.isSettable(name) && !isOfProxies(name);
    }
}
