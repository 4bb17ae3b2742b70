package dev.lychgate.filter;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The verified identity of the sender of a request. An {@link Authenticator} supplies the identity; in Groovy, filters
 * read it as {@code exchange.identity}. Immutable and thread-safe.
 *
 * @param scheme the kind of the credentials: {@code jwt}, {@code introspection}, {@code api-key}, {@code basic}, {@code
 *     client-certificate} or {@code oidc}; a filter that sets an identity may use another word
 * @param issuer the authority that issued the credentials; null if the credentials name no issuer
 * @param subject the name of the sender, which is unique for the issuer; null if the credentials name no subject
 * @param claims the statements of the issuer about the sender, in their order. A value is a {@code String}, {@code
 *     Number}, {@code Boolean}, or a {@code List} or {@code Map} of such values, and never null
 */
public record Identity(
        String scheme, @Nullable String issuer, @Nullable String subject, Map<String, Object> claims) {
    private static final int DEEPEST = 64;

    /**
     * Copies the claims, and omits null values from claims, maps and lists.
     *
     * @throws IllegalArgumentException if the scheme is empty, if a value has a type that {@link #claims} does not
     *     permit, or if claims are nested more than 64 levels deep
     */
    public Identity {
        if (scheme.isEmpty()) {
            throw new IllegalArgumentException("an identity needs a scheme");
        }
        claims = map(claims, 0);
    }

    /** Creates an identity without claims. */
    public Identity(String scheme, @Nullable String issuer, @Nullable String subject) {
        this(scheme, issuer, subject, Map.of());
    }

    private static Map<String, Object> map(Map<?, ?> values, int depth) {
        Map<String, Object> copy = new LinkedHashMap<>();
        values.forEach((name, value) -> {
            if (value != null) {
                copy.put((String) Objects.requireNonNull(name), value(value, depth + 1));
            }
        });
        return Collections.unmodifiableMap(copy);
    }

    private static Object value(Object value, int depth) {
        if (depth > DEEPEST) {
            throw new IllegalArgumentException("claims are nested more than " + DEEPEST + " levels deep");
        }
        if (value instanceof Map<?, ?> map) {
            return map(map, depth);
        }
        if (value instanceof List<?> list) {
            List<Object> copy = new ArrayList<>(list.size());
            for (Object element : list) {
                if (element != null) {
                    copy.add(value(element, depth + 1));
                }
            }
            return Collections.unmodifiableList(copy);
        }
        if (value instanceof String || value instanceof Number || value instanceof Boolean) {
            return value;
        }
        throw new IllegalArgumentException("a claim has an unsupported value of " + value.getClass()
                + " (expected: String, Number, Boolean, or List or Map of these)");
    }

    /**
     * Returns a claim.
     *
     * @param path the name of the claim, or a path in which each dot selects a member of a map: {@code
     *     realm_access.roles} is the member {@code roles} of the claim {@code realm_access}. A claim with exactly this
     *     name takes precedence. Without such a claim, {@code sub} is the subject and {@code iss} is the issuer
     * @return null if there is no such claim
     */
    public @Nullable Object claim(String path) {
        Object found = find(claims, path);
        if (found != null) {
            return found;
        }
        return path.equals("sub") ? subject : path.equals("iss") ? issuer : null;
    }

    private static @Nullable Object find(Map<?, ?> in, String path) {
        Object exact = in.get(path);
        for (int dot = path.indexOf('.'); exact == null && dot >= 0; dot = path.indexOf('.', dot + 1)) {
            if (in.get(path.substring(0, dot)) instanceof Map<?, ?> inner) {
                exact = find(inner, path.substring(dot + 1));
            }
        }
        return exact;
    }

    /** Returns scheme, issuer and subject. Claims are left out, because they may be personal. */
    @Override
    public String toString() {
        return "Identity[scheme=" + scheme + ", issuer=" + issuer + ", subject=" + subject + "]";
    }
}
