package dev.lychgate.server.admin;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * One thing that can be asked of the admin listener. What {@code /} lists, which methods a path takes, which parameters are
 * understood and what is audited follows from these, and the OpenAPI file is held to them.
 *
 * @param method GET reads, and is served to HEAD, too; POST changes something, and is audited
 * @param path without a query; compared as it is sent
 * @param about what comes of it, in a line
 * @param parameters what is understood in the query; all else there is passed over
 * @param door who may ask
 * @param answering makes the answer
 */
record AdminRoute(
        Method method, String path, String about, List<Parameter> parameters, Door door, Answering answering) {
    enum Method {
        GET,
        POST
    }

    enum Door {
        /** Anybody who reaches the listener: probes have no token. */
        OPEN,
        /** Whoever has brought what the listener asks for. */
        GUARDED
    }

    /**
     * A parameter of the query.
     *
     * @param count how often it may be there
     * @param about its values, in a few words
     */
    record Parameter(String name, Count count, String about) {
        static Parameter needed(String name, String about) {
            return new Parameter(name, Count.ONCE, about);
        }

        static Parameter optional(String name, String about) {
            return new Parameter(name, Count.AT_MOST_ONCE, about);
        }
    }

    enum Count {
        ONCE,
        AT_MOST_ONCE,
        ANY
    }

    /** Makes an answer; completes at once or later, on any thread. Called on the admin listener's thread. */
    interface Answering {
        CompletableFuture<AdminAnswer> answer(Parameters parameters);
    }

    AdminRoute {
        parameters = List.copyOf(parameters);
    }

    static AdminRoute get(String path, String about, Answering answering, Parameter... parameters) {
        return new AdminRoute(Method.GET, path, about, List.of(parameters), Door.GUARDED, answering);
    }

    static AdminRoute post(String path, String about, Answering answering, Parameter... parameters) {
        return new AdminRoute(Method.POST, path, about, List.of(parameters), Door.GUARDED, answering);
    }

    /** For anybody. */
    AdminRoute open() {
        return new AdminRoute(method, path, about, parameters, Door.OPEN, answering);
    }

    /** Whether something may be another after it. */
    boolean changes() {
        return method == Method.POST;
    }

    /** How {@code /} lists it: {@code POST /rollback?generation}, or the path alone where it is read. */
    String label() {
        if (!changes()) {
            return path;
        }
        StringBuilder label = new StringBuilder("POST ").append(path);
        char before = '?';
        for (Parameter parameter : parameters) {
            label.append(before).append(parameter.name());
            before = '&';
        }
        return label.toString();
    }
}
