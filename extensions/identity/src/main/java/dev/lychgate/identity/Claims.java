package dev.lychgate.identity;

import java.util.LinkedHashMap;
import java.util.Map;

/** Converts objects that were read as JSON to claims. */
final class Claims {
    private Claims() {}

    /** Returns the members of an object as claims. Nulls are omitted, because an identity contains no nulls. */
    static Map<String, Object> of(Map<?, ?> object) {
        Map<String, Object> claims = new LinkedHashMap<>();
        object.forEach((name, value) -> {
            if (value != null) {
                claims.put(String.valueOf(name), value);
            }
        });
        return claims;
    }
}
