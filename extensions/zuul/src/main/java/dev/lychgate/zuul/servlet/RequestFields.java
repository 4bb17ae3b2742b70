package dev.lychgate.zuul.servlet;

import dev.lychgate.filter.FilterRequest;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The header fields of a request, including Host and the framing fields, which the headers of the filter API do not
 * contain.
 */
final class RequestFields {
    private static final Set<String> WITH_BODY = Set.of("POST", "PUT", "PATCH");

    private final FilterRequest request;

    RequestFields(FilterRequest request) {
        this.request = request;
    }

    /** Returns the declared length; -1 if the request declares none. */
    long contentLength() {
        long length = request.getContentLength();
        return length == 0 && !WITH_BODY.contains(request.getMethod()) ? -1 : length;
    }

    private boolean isChunked() {
        return request.getContentLength() < 0 && request.getProtocol().equals("HTTP/1.1");
    }

    List<String> values(String name) {
        return switch (name.toLowerCase(Locale.ROOT)) {
            case "host" -> request.getHost().isEmpty() ? List.of() : List.of(request.getHost());
            case "content-length" -> contentLength() < 0 ? List.of() : List.of(Long.toString(contentLength()));
            case "transfer-encoding" -> isChunked() ? List.of("chunked") : List.of();
            default -> request.getHeaders().getAll(name);
        };
    }

    List<String> names() {
        Set<String> names = new LinkedHashSet<>(request.getHeaders().getNames());
        for (String own : List.of("Host", "Content-Length", "Transfer-Encoding")) {
            boolean present = names.stream().anyMatch(own::equalsIgnoreCase);
            if (!present && !values(own).isEmpty()) {
                names.add(own);
            }
        }
        return new ArrayList<>(names);
    }

    /**
     * Returns the languages of Accept-Language, the preferred language first; the language of the process if
     * Accept-Language contains no languages.
     */
    List<Locale> locales() {
        String accepted = request.getHeaders().get("accept-language");
        try {
            List<Locale> all = accepted == null
                    ? List.of()
                    : Locale.LanguageRange.parse(accepted).stream()
                            .map(range -> Locale.forLanguageTag(range.getRange()))
                            .toList();
            return all.isEmpty() ? List.of(Locale.getDefault()) : all;
        } catch (IllegalArgumentException e) {
            return List.of(Locale.getDefault());
        }
    }

    /**
     * Returns a date in milliseconds since 1970; -1 if the value is missing.
     *
     * @throws IllegalArgumentException if it is malformed
     */
    static long date(@Nullable String value) {
        try {
            return value == null
                    ? -1
                    : ZonedDateTime.parse(value, DateTimeFormatter.RFC_1123_DATE_TIME)
                            .toInstant()
                            .toEpochMilli();
        } catch (DateTimeParseException e) {
            throw new IllegalArgumentException("a malformed date: " + value, e);
        }
    }

    /** Returns the parameter charset of a media type; null if it has none. */
    static @Nullable String charset(@Nullable String contentType) {
        if (contentType != null) {
            for (String part : contentType.split(";", -1)) {
                String parameter = part.trim();
                if (parameter.toLowerCase(Locale.ROOT).startsWith("charset=")) {
                    return parameter.substring("charset=".length()).replace("\"", "");
                }
            }
        }
        return null;
    }

    /** Returns the parameters of a query and of a form, in this order. */
    static Map<String, String[]> parameters(Map<String, List<String>> query, String form) {
        Map<String, List<String>> all = new LinkedHashMap<>();
        query.forEach((name, values) -> all.put(name, new ArrayList<>(values)));
        for (String field : form.split("&", -1)) {
            int equals = field.indexOf('=');
            String name = decoded(equals < 0 ? field : field.substring(0, equals));
            if (!name.isEmpty()) {
                all.computeIfAbsent(name, key -> new ArrayList<>())
                        .add(equals < 0 ? "" : decoded(field.substring(equals + 1)));
            }
        }
        Map<String, String[]> arrays = new LinkedHashMap<>();
        all.forEach((name, values) -> arrays.put(name, values.toArray(new String[0])));
        return Collections.unmodifiableMap(arrays);
    }

    private static String decoded(String text) {
        try {
            return URLDecoder.decode(text, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return text;
        }
    }
}
