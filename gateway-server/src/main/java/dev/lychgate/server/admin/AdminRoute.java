package dev.lychgate.server.admin;

import dev.lychgate.server.json.JsonType;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * One operation of the admin API. The list at {@code /}, the allowed methods, the known parameters, the audit log and
 * the OpenAPI document are derived from the routes.
 *
 * @param method GET reads, and also serves HEAD; POST changes state, and is audited
 * @param path the path without a query; a request matches if its path, without any decoding, is equal to this path
 * @param about what the operation does, in one line
 * @param parameters the known query parameters; a GET ignores unknown parameters, and a POST with an unknown parameter
 *     is rejected
 * @param door the clients that are permitted to use the operation
 * @param content the types of a response with status 200, by media type
 * @param failures the error statuses of this route, in addition to the statuses that every route can return
 */
record AdminRoute(
        Method method,
        String path,
        String about,
        List<Parameter<?>> parameters,
        Door door,
        Map<String, JsonType<?>> content,
        List<HttpResponseStatus> failures,
        Answering answering) {
    /**
     * The name of a header that a POST without a token must contain, with any value. Browsers do not let pages from
     * other sites send this header.
     */
    static final String INTENDED = "x-lychgate-admin";

    enum Method {
        GET,
        POST
    }

    enum Door {
        /** All clients of the listener are permitted, because probes have no token. */
        OPEN,
        /** Only clients with the credentials that the listener requires are permitted. */
        GUARDED,
        /**
         * Only clients with the listener's credentials and the role recorder are permitted, because the page contains
         * data of the gateway's clients.
         */
        RECORDINGS
    }

    /** Computes a response. Called on the admin listener's thread; the future may complete on any thread. */
    interface Answering {
        CompletableFuture<AdminResponse> answer(Parameters given) throws Rejection;
    }

    AdminRoute {
        parameters = List.copyOf(parameters);
        failures = List.copyOf(failures);
    }

    static AdminRoute get(String path, String about, Map<String, JsonType<?>> content, Answering answering) {
        return new AdminRoute(Method.GET, path, about, List.of(), Door.GUARDED, content, List.of(), answering);
    }

    /** Returns a route for GET requests with a JSON response. The route requires the listener's credentials. */
    static AdminRoute json(String path, JsonType<?> type, Answering answering) {
        return get(path, type.about(), Map.of(AdminResponse.JSON, type), answering);
    }

    /** Returns this route with {@code line} as its description, instead of the description of the type. */
    AdminRoute about(String line) {
        return new AdminRoute(method, path, line, parameters, door, content, failures, answering);
    }

    /** Returns this route as a POST that changes state. */
    AdminRoute changing(String line) {
        return new AdminRoute(Method.POST, path, line, parameters, door, content, failures, answering);
    }

    AdminRoute taking(Parameter<?>... further) {
        List<Parameter<?>> all =
                Stream.concat(parameters.stream(), Stream.of(further)).toList();
        return new AdminRoute(method, path, about, all, door, content, failures, answering);
    }

    /** Returns a copy of this route with the statuses in {@code further} added to its error statuses. */
    AdminRoute failing(HttpResponseStatus... further) {
        List<HttpResponseStatus> all =
                Stream.concat(failures.stream(), Stream.of(further)).toList();
        return new AdminRoute(method, path, about, parameters, door, content, all, answering);
    }

    /** Returns this route without access control. */
    AdminRoute open() {
        return new AdminRoute(method, path, about, parameters, Door.OPEN, content, failures, answering);
    }

    /**
     * Returns a copy of this route that requires the role recorder, because the response contains data of the gateway's
     * clients.
     */
    AdminRoute recordings() {
        return new AdminRoute(method, path, about, parameters, Door.RECORDINGS, content, failures, answering);
    }

    /** Returns whether the operation changes state. */
    boolean changes() {
        return method == Method.POST;
    }

    /**
     * Returns the name of this route in {@code /}: the path for a GET; a text such as {@code POST /rollback?generation}
     * for a POST.
     */
    String label() {
        String query = parameters.stream().map(Parameter::name).collect(Collectors.joining("&", "?", ""));
        return changes() ? "POST " + path + (parameters.isEmpty() ? "" : query) : path;
    }
}
