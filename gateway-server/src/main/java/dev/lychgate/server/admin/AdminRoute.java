package dev.lychgate.server.admin;

import dev.lychgate.server.json.JsonType;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * One thing that can be asked of the admin listener. What {@code /} lists, which methods a path takes, which parameters are
 * understood and what is audited follows from these, and so does the OpenAPI document.
 *
 * @param method GET reads, and is served to HEAD, too; POST changes something, and is audited
 * @param path without a query; compared as it is sent
 * @param about what comes of it, in a line
 * @param parameters what is understood in the query; all else there is passed over
 * @param door who may ask
 * @param content the types of a 200, by media type
 * @param failures the problems it may be answered with, besides those of all routes
 * @param answering makes the answer
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
    /** A header field to be sent with every POST, with any value: no page of another site can send it. */
    static final String INTENDED = "x-lychgate-admin";

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

    /** Makes an answer; completes at once or later, on any thread. Called on the admin listener's thread. */
    interface Answering {
        CompletableFuture<AdminAnswer> answer(Parameters given) throws Rejection;
    }

    AdminRoute {
        parameters = List.copyOf(parameters);
        failures = List.copyOf(failures);
    }

    /** Returns a guarded route that is read. */
    static AdminRoute get(String path, String about, Map<String, JsonType<?>> content, Answering answering) {
        return new AdminRoute(Method.GET, path, about, List.of(), Door.GUARDED, content, List.of(), answering);
    }

    /** Returns a guarded route that is read as JSON. */
    static AdminRoute json(String path, JsonType<?> type, Answering answering) {
        return get(path, type.about(), Map.of(AdminAnswer.JSON, type), answering);
    }

    /** This route, described by other words than its type. */
    AdminRoute about(String line) {
        return new AdminRoute(method, path, line, parameters, door, content, failures, answering);
    }

    /** This route as one that changes something. */
    AdminRoute changing(String line) {
        return new AdminRoute(Method.POST, path, line, parameters, door, content, failures, answering);
    }

    /** With further parameters. */
    AdminRoute taking(Parameter<?>... further) {
        List<Parameter<?>> all =
                Stream.concat(parameters.stream(), Stream.of(further)).toList();
        return new AdminRoute(method, path, about, all, door, content, failures, answering);
    }

    /** With problems that it may be answered with, besides those of all routes. */
    AdminRoute failing(HttpResponseStatus... further) {
        List<HttpResponseStatus> all =
                Stream.concat(failures.stream(), Stream.of(further)).toList();
        return new AdminRoute(method, path, about, parameters, door, content, all, answering);
    }

    /** For anybody. */
    AdminRoute open() {
        return new AdminRoute(method, path, about, parameters, Door.OPEN, content, failures, answering);
    }

    /** Whether something may be another after it. */
    boolean changes() {
        return method == Method.POST;
    }

    /** How {@code /} lists it: {@code POST /rollback?generation}, or the path alone where it is read. */
    String label() {
        String query = parameters.stream().map(Parameter::name).collect(Collectors.joining("&", "?", ""));
        return changes() ? "POST " + path + (parameters.isEmpty() ? "" : query) : path;
    }
}
