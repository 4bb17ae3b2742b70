package dev.lychgate.server.admin;

import dev.lychgate.http.QueryParameters;
import dev.lychgate.server.admin.Parameter.Count;
import dev.lychgate.server.history.Author;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The known parameters of a request, with validated numbers of occurrences, the formats it accepts, and its client. */
final class Parameters {
    private final Map<Parameter<?>, List<Object>> values = new HashMap<>();
    private final String accept;
    private final Author author;
    private final Operator operator;

    /**
     * Parses a query.
     *
     * @param accept the {@code Accept} headers of the request, joined; empty if there are none
     * @param author the client, for the history
     * @param operator what the client may do
     * @throws Rejection if a parameter is missing, repeated, or has an invalid value
     */
    Parameters(AdminRoute route, @Nullable String query, String accept, Author author, Operator operator)
            throws Rejection {
        this.accept = accept;
        this.author = author;
        this.operator = operator;
        for (Parameter<?> parameter : route.parameters()) {
            List<String> given = QueryParameters.of(query, parameter.name());
            boolean missing = given.isEmpty() && parameter.count() == Count.ONCE;
            boolean repeated = given.size() > 1 && parameter.count() != Count.ANY;
            if (missing || repeated) {
                throw Rejection.malformed((missing ? "missing parameter: " : "duplicate parameter: ") + parameter.name()
                        + ", " + parameter.about());
            }
            List<Object> read = new ArrayList<>();
            for (String text : given) {
                read.add(parameter.read(text));
            }
            values.put(parameter, read);
        }
    }

    /** Returns the {@code Accept} headers of the request, joined; empty if there are none. */
    String accept() {
        return accept;
    }

    Author author() {
        return author;
    }

    Operator operator() {
        return operator;
    }

    <V> @Nullable V optional(Parameter<V> parameter) {
        List<V> given = every(parameter);
        return given.isEmpty() ? null : given.get(0);
    }

    /** Returns the value of a required parameter. */
    <V> V needed(Parameter<V> parameter) {
        return Objects.requireNonNull(optional(parameter), parameter.name());
    }

    /** Returns all values of a repeatable parameter. */
    @SuppressWarnings("unchecked") // read by that parameter
    <V> List<V> every(Parameter<V> parameter) {
        return (List<V>) Objects.requireNonNull(values.get(parameter), parameter.name());
    }
}
