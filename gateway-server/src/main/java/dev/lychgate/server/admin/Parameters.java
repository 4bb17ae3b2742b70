package dev.lychgate.server.admin;

import dev.lychgate.filters.groovy.NearMiss;
import dev.lychgate.http.QueryParameters;
import dev.lychgate.server.admin.Parameter.Count;
import dev.lychgate.server.history.Author;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The validated parameters of a request, with the response formats that the request accepts and the client that sent
 * the request.
 */
final class Parameters {
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z][A-Za-z0-9_-]{0,31}");

    private final Map<Parameter<?>, List<Object>> values = new HashMap<>();
    private final String accept;
    private final Author author;
    private final Operator operator;

    /**
     * Parses a query.
     *
     * @param accept the {@code Accept} headers of the request, joined; empty if there are none
     * @param author the client, for the history
     * @param operator the roles and limits of the client
     * @throws Rejection if a parameter is missing, repeated or invalid, or if a POST has an unknown parameter
     */
    Parameters(AdminRoute route, @Nullable String query, String accept, Author author, Operator operator)
            throws Rejection {
        this.accept = accept;
        this.author = author;
        this.operator = operator;
        if (route.changes()) {
            // Without this check, a misspelled selector would apply the change to all objects.
            refuseUnknown(route, query);
        }
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

    private static void refuseUnknown(AdminRoute route, @Nullable String query) throws Rejection {
        List<String> known = route.parameters().stream().map(Parameter::name).toList();
        for (String name : QueryParameters.all(query).keySet()) {
            if (known.contains(name)) {
                continue;
            }
            // A malformed name is not quoted, because it may be a part of a value that contains a credential.
            String near = PLAIN.matcher(name).matches() ? NearMiss.of(name, known) : null;
            String shown = PLAIN.matcher(name).matches() ? ": " + name : " with a malformed name";
            throw Rejection.malformed("unknown parameter" + shown
                    + (near == null ? "; see /openapi.json" : ", did you mean '" + near + "'?"));
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
