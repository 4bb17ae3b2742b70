package dev.lychgate.server.admin;

import dev.lychgate.http.QueryParameters;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The parameters of a request that its route knows, each as often as it may be there, and the formats it accepts. */
final class Parameters {
    private final Map<String, List<String>> values;
    private final String accept;

    private Parameters(Map<String, List<String>> values, String accept) {
        this.values = values;
        this.accept = accept;
    }

    /**
     * Takes them from a query.
     *
     * @param accept the {@code Accept} fields of the request, joined; empty if there are none
     * @throws Wrong if one is missing, or there more than once
     */
    static Parameters of(AdminRoute route, @Nullable String query, String accept) throws Wrong {
        Map<String, List<String>> values = new LinkedHashMap<>();
        for (AdminRoute.Parameter parameter : route.parameters()) {
            List<String> given = QueryParameters.of(query, parameter.name());
            boolean missing = given.isEmpty() && parameter.count() == AdminRoute.Count.ONCE;
            boolean repeated = given.size() > 1 && parameter.count() != AdminRoute.Count.ANY;
            if (missing || repeated) {
                throw new Wrong((missing ? "a parameter is missing: " : "a parameter is there twice: ")
                        + parameter.name() + ", " + parameter.about());
            }
            if (!given.isEmpty()) {
                values.put(parameter.name(), given);
            }
        }
        return new Parameters(values, accept);
    }

    /** Returns the {@code Accept} fields of the request, joined; empty if there are none. */
    String accept() {
        return accept;
    }

    /** All that were given. */
    Map<String, List<String>> all() {
        return values;
    }

    /** The value of one that may be missing. */
    @Nullable
    String optional(String name) {
        List<String> given = values.get(name);
        return given == null ? null : given.get(0);
    }

    /** The value of one that is needed. */
    String needed(String name) {
        return Objects.requireNonNull(optional(name), name);
    }

    /** All values of one that may be repeated. */
    List<String> every(String name) {
        return values.getOrDefault(name, List.of());
    }

    /** What was asked can't be understood; the message says why, and repeats nothing of it. */
    static final class Wrong extends Exception {
        private static final long serialVersionUID = 1;

        Wrong(String why) {
            super(why, null, false, false);
        }

        AdminAnswer answer() {
            return AdminAnswer.malformed(String.valueOf(getMessage()));
        }
    }
}
