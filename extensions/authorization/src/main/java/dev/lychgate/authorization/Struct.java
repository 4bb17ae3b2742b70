package dev.lychgate.authorization;

import com.google.common.collect.ImmutableSet;
import dev.cel.common.types.CelType;
import dev.cel.common.types.StructType;
import dev.lychgate.filter.FilterExchange;
import java.util.AbstractMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A variable of expressions with declared members. The declaration of a member contains its type, for the type checker,
 * and a function that reads its value from the exchange when an expression needs it.
 */
final class Struct {
    private record Member(CelType type, Function<FilterExchange, @Nullable Object> value) {}

    private final String typeName;
    private final Map<String, Member> members = new LinkedHashMap<>();

    /** @param typeName the name of the type in messages, such as {@code lychgate.Request} */
    Struct(String typeName) {
        this.typeName = typeName;
    }

    /**
     * Adds a member while the struct is declared.
     *
     * @param value returns null if the exchange lacks the member
     */
    Struct member(String name, CelType type, Function<FilterExchange, @Nullable Object> value) {
        members.put(name, new Member(type, value));
        return this;
    }

    Set<String> names() {
        return members.keySet();
    }

    @SuppressWarnings("Immutable") // nothing is added after the declaration
    StructType type() {
        return StructType.create(
                typeName,
                ImmutableSet.copyOf(members.keySet()),
                name -> Optional.ofNullable(members.get(name)).map(Member::type));
    }

    /** Returns the values of an exchange. Each value is computed when it is first read. */
    Map<String, Object> of(FilterExchange exchange) {
        return new Values(exchange);
    }

    /** The members of a variable for one exchange. Omits members that the exchange lacks. Used by one evaluation. */
    private final class Values extends AbstractMap<String, Object> {
        private final FilterExchange exchange;
        private final Map<Object, Object> read = new HashMap<>();

        Values(FilterExchange exchange) {
            this.exchange = exchange;
        }

        @Override
        public @Nullable Object get(@Nullable Object key) {
            Object known = read.get(key);
            if (known != null) {
                return known;
            }
            Member member = members.get(key);
            Object value = member == null ? null : member.value().apply(exchange);
            if (value != null) {
                read.put(key, value);
            }
            return value;
        }

        @Override
        public boolean containsKey(@Nullable Object key) {
            return get(key) != null;
        }

        @Override
        public Set<Entry<String, Object>> entrySet() {
            Map<String, Object> all = new LinkedHashMap<>();
            for (String name : members.keySet()) {
                Object value = get(name);
                if (value != null) {
                    all.put(name, value);
                }
            }
            return all.entrySet();
        }
    }
}
