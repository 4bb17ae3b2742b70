package dev.lychgate.filters.builtin;

import dev.lychgate.filter.Filter;
import dev.lychgate.filter.FilterExchange;
import dev.lychgate.filter.FilterPhase;
import dev.lychgate.filter.Headers;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Filters that change one header of every request or of every response, including the error responses of the gateway.
 */
final class HeaderFilters {
    private HeaderFilters() {}

    static List<Filter> ofRequests(Settings settings, Function<Settings, Consumer<Headers>> reader) {
        return of(FilterPhase.INBOUND, exchange -> exchange.getRequest().getHeaders(), settings, reader);
    }

    static List<Filter> ofResponses(Settings settings, Function<Settings, Consumer<Headers>> reader) {
        return of(FilterPhase.OUTBOUND, exchange -> exchange.getResponse().getHeaders(), settings, reader);
    }

    private static List<Filter> of(
            FilterPhase phase,
            Function<FilterExchange, Headers> headers,
            Settings settings,
            Function<Settings, Consumer<Headers>> reader) {
        Consumer<Headers> change = reader.apply(settings);
        return List.of(Builtin.changing(
                phase, settings, settings.text("name"), exchange -> change.accept(headers.apply(exchange))));
    }

    static Consumer<Headers> set(Settings settings) {
        String name = settings.fieldName("name");
        String value = settings.fieldValue("value");
        return headers -> headers.set(name, value);
    }

    static Consumer<Headers> add(Settings settings) {
        String name = settings.fieldName("name");
        String value = settings.fieldValue("value");
        return headers -> headers.add(name, value);
    }

    static Consumer<Headers> remove(Settings settings) {
        String name = settings.fieldName("name");
        return headers -> headers.remove(name);
    }

    /**
     * Renames a header. If headers with the new name exist, they are replaced. Does nothing if the header is missing.
     */
    static Consumer<Headers> rename(Settings settings) {
        String name = settings.fieldName("name");
        String to = settings.fieldName("to");
        return headers -> {
            List<String> values = headers.getAll(name);
            if (!values.isEmpty()) {
                headers.remove(name);
                headers.remove(to);
                values.forEach(value -> headers.add(to, value));
            }
        };
    }

    /**
     * Adds {@code name}, which is the name of a request header on which the response depends, to {@code Vary}. Does
     * nothing if {@code Vary} already contains the name or {@code *}.
     */
    static void vary(Headers headers, String name) {
        List<String> fields = headers.getAll("vary");
        boolean stated = fields.stream()
                .flatMap(field -> Stream.of(field.split(",", -1)))
                .map(String::trim)
                .anyMatch(one -> one.equals("*") || one.equalsIgnoreCase(name));
        if (stated) {
            return;
        }
        if (fields.size() == 1) {
            headers.set("vary", fields.get(0).isBlank() ? name : fields.get(0) + ", " + name);
        } else {
            headers.add("vary", name);
        }
    }
}
