package dev.lychgate.server.admin;

import io.netty.handler.codec.http.HttpResponseStatus;
import java.util.List;
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
 * @param page what it is answered with
 */
record AdminRoute(Method method, String path, String about, List<Parameter<?>> parameters, Door door, Page page) {
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

    AdminRoute {
        parameters = List.copyOf(parameters);
    }

    /** A page that says itself what it is. */
    static AdminRoute get(String path, Page page) {
        return get(path, page.about(), page);
    }

    static AdminRoute get(String path, String about, Page page) {
        return new AdminRoute(Method.GET, path, about, List.of(), Door.GUARDED, page);
    }

    static AdminRoute post(String path, String about, Page page) {
        return new AdminRoute(Method.POST, path, about, List.of(), Door.GUARDED, page);
    }

    /** With further parameters. */
    AdminRoute taking(Parameter<?>... further) {
        List<Parameter<?>> all =
                Stream.concat(parameters.stream(), Stream.of(further)).toList();
        return new AdminRoute(method, path, about, all, door, page);
    }

    /** With problems that it may be answered with, besides those of all routes. */
    AdminRoute failing(HttpResponseStatus... failures) {
        return new AdminRoute(method, path, about, parameters, door, page.failing(failures));
    }

    /** For anybody. */
    AdminRoute open() {
        return new AdminRoute(method, path, about, parameters, Door.OPEN, page);
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
        for (Parameter<?> parameter : parameters) {
            label.append(before).append(parameter.name());
            before = '&';
        }
        return label.toString();
    }
}
