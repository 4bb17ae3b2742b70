package dev.lychgate.exchange.filtering;

import dev.lychgate.filter.Headers;
import dev.lychgate.filter.ResponseCookie;
import dev.lychgate.http.Cookies;
import dev.lychgate.http.FieldSyntax;
import io.netty.handler.codec.DateFormatter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Date;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A cookie of a response, stored in a Set-Cookie header. */
final class SetCookie implements ResponseCookie {
    private static final String HEADER = "set-cookie";

    private final Headers headers;
    /** The value of the header. This value identifies the header of this cookie among several Set-Cookie headers. */
    private String field;

    private SetCookie(Headers headers, String field) {
        this.headers = headers;
        this.field = field;
    }

    static List<ResponseCookie> all(Headers headers) {
        List<ResponseCookie> all = new ArrayList<>(1);
        for (String field : headers.getAll(HEADER)) {
            if (!name(field).isEmpty()) {
                all.add(new SetCookie(headers, field));
            }
        }
        return all;
    }

    static ResponseCookie add(Headers headers, String name, String value) {
        Cookies.requireValid(name, value);
        String field = name + "=" + value;
        headers.add(HEADER, field);
        return new SetCookie(headers, field);
    }

    static void remove(Headers headers, String name) {
        List<String> left = new ArrayList<>(headers.getAll(HEADER));
        if (left.removeIf(field -> name(field).equals(name))) {
            set(headers, left);
        }
    }

    private static void set(Headers headers, List<String> fields) {
        headers.remove(HEADER);
        fields.forEach(field -> headers.add(HEADER, field));
    }

    private static String name(String field) {
        String pair = field.split(";", 2)[0];
        return pair.substring(0, Math.max(0, pair.indexOf('='))).strip();
    }

    private void change(List<String> parts) {
        List<String> all = new ArrayList<>(headers.getAll(HEADER));
        int at = all.indexOf(field);
        if (at < 0) {
            throw new IllegalStateException("the cookie " + getName() + " has been removed");
        }
        String changed = String.join(";", parts).strip();
        if (!FieldSyntax.isValue(changed)) {
            // The value is validated before the other cookies are removed.
            throw new IllegalArgumentException("the cookie " + getName() + " would have an invalid value: " + changed);
        }
        all.set(at, changed);
        set(headers, all);
        field = changed;
    }

    private List<String> parts() {
        return new ArrayList<>(Arrays.asList(field.split(";", -1)));
    }

    /** Returns whether {@code part} is the attribute with this name. */
    private static boolean isNamed(String part, String name) {
        int equals = part.indexOf('=');
        return part.substring(0, equals < 0 ? part.length() : equals).strip().equalsIgnoreCase(name);
    }

    @Override
    public String getName() {
        return name(field);
    }

    @Override
    public String getValue() {
        String pair = field.split(";", 2)[0];
        return pair.substring(pair.indexOf('=') + 1).strip();
    }

    @Override
    public void setValue(String value) {
        Cookies.requireValid(getName(), value);
        List<String> parts = parts();
        parts.set(0, getName() + "=" + value);
        change(parts);
    }

    @Override
    public @Nullable String attribute(String name) {
        List<String> parts = parts();
        for (int i = parts.size() - 1; i > 0; i--) {
            String part = parts.get(i);
            if (isNamed(part, name)) {
                int equals = part.indexOf('=');
                return equals < 0 ? "" : part.substring(equals + 1).strip();
            }
        }
        return null;
    }

    @Override
    public void setAttribute(String name, @Nullable String value) {
        if (!FieldSyntax.isName(name) || (value != null && value.indexOf(';') >= 0)) {
            throw new IllegalArgumentException("the attribute " + name + " of cookie " + getName() + " is malformed");
        }
        if (Objects.equals(value, attribute(name))) {
            return;
        }
        List<String> parts = parts();
        parts.subList(1, parts.size()).removeIf(part -> isNamed(part, name));
        if (value != null) {
            parts.add(" " + name + (value.isEmpty() ? "" : "=" + value));
        }
        change(parts);
    }

    @Override
    public @Nullable Duration getMaxAge() {
        String seconds = attribute("Max-Age");
        return seconds != null && seconds.matches("-?[0-9]{1,15}") ? Duration.ofSeconds(Long.parseLong(seconds)) : null;
    }

    @Override
    public @Nullable Instant getExpires() {
        String date = attribute("Expires");
        Date parsed = date == null ? null : DateFormatter.parseHttpDate(date);
        return parsed == null ? null : parsed.toInstant();
    }

    @Override
    public void setExpires(@Nullable Instant date) {
        setAttribute("Expires", date == null ? null : DateFormatter.format(Date.from(date)));
    }

    @Override
    public String toString() {
        return field;
    }
}
