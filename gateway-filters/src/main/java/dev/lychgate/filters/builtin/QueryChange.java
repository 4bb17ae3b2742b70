package dev.lychgate.filters.builtin;

import dev.lychgate.config.ConfigException;
import dev.lychgate.http.QueryParameters;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Sets or removes one parameter of a query and leaves the bytes of all others as they are.
 *
 * @param name decoded
 * @param pair encoded, what takes the place of the first parameter of that name, or the last place; null removes
 */
record QueryChange(String name, @Nullable String pair) {
    static QueryChange set(Settings settings) {
        String name = name(settings);
        return new QueryChange(name, encoded(name) + "=" + encoded(settings.text("value")));
    }

    static QueryChange remove(Settings settings) {
        return new QueryChange(name(settings), null);
    }

    private static String name(Settings settings) {
        String name = settings.text("name");
        if (name.isEmpty()) {
            throw new ConfigException("name", name, "the name of a parameter");
        }
        return name;
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /** @return the same query if there is nothing to change; null = none */
    @Nullable
    String apply(@Nullable String query) {
        String wanted = pair;
        if (query == null || QueryParameters.of(query, name).isEmpty()) {
            return wanted == null ? query : query == null || query.isEmpty() ? wanted : query + "&" + wanted;
        }
        List<String> kept = new ArrayList<>();
        for (String parameter : query.split("&", -1)) {
            if (QueryParameters.of(parameter, name).isEmpty()) {
                kept.add(parameter);
            } else if (wanted != null) {
                kept.add(wanted);
                wanted = null;
            }
        }
        return kept.isEmpty() ? null : String.join("&", kept);
    }
}
