package dev.lychgate.server.admin;

import static dev.lychgate.server.json.Json.tree;

import dev.lychgate.server.admin.AdminRoute.Door;
import dev.lychgate.server.admin.Parameter.Count;
import dev.lychgate.server.json.Json;
import dev.lychgate.server.json.JsonType;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * {@code /openapi.json}: the description of the admin API for programs, derived from the routes and the shapes of their
 * pages.
 */
final class OpenApi {
    private static final Map<Integer, String> FAILURES = Map.of(
            400, "The request is malformed.",
            401, "The token or certificate is missing or wrong.",
            403, "A page of another site sent the request, or a role or the header field X-Lychgate-Admin is missing.",
            404, "The name is unknown.",
            409, "The change is not possible in the present state.",
            422, "The files or the generation are refused; faults lists the reasons.",
            429, "Wrong tokens came from this address; try again in a second.",
            500, "The page failed; the log has the reason.",
            503, "The page is currently unavailable.");

    /** The description of the header {@link AdminRoute#INTENDED}, which pages of other sites can't send. */
    private static final Map<String, Object> INTENDED = parameter(
            AdminRoute.INTENDED,
            "header",
            "Any value. Optional with the header Authorization, because pages of other sites can send neither header.",
            false,
            Json.TEXT.schema());

    private static final Map<String, Object> PROBLEM =
            content(Map.of(AdminResponse.PROBLEM_JSON, AdminResponse.Problem.SHAPE));

    private OpenApi() {}

    static Map<String, Object> document(List<AdminRoute> routes) {
        Map<String, Object> schemas = new TreeMap<>();
        AdminResponse.Problem.SHAPE.collect(schemas);
        Map<String, Map<String, Object>> paths = new TreeMap<>();
        for (AdminRoute route : routes) {
            route.content().values().forEach(type -> type.collect(schemas));
            paths.computeIfAbsent(route.path(), path -> new TreeMap<>())
                    .put(Json.word(route.method()), operation(route));
        }
        Object token = tree("type", "http", "scheme", "bearer");
        Object schemes = tree("token", token, "certificate", tree("type", "mutualTLS"));
        Map<String, Object> document = tree("openapi", "3.1.0");
        document.put(
                "info", tree("title", "Lychgate admin API", "version", "1", "license", tree("name", "Apache-2.0")));
        document.put("servers", List.of(tree("url", "/")));
        document.put("security", List.of(tree("token", List.of()), tree("certificate", List.of()), tree()));
        document.put("paths", paths);
        document.put("components", tree("securitySchemes", schemes, "schemas", schemas));
        return document;
    }

    private static Map<String, Object> operation(AdminRoute route) {
        List<Object> parameters = new ArrayList<>(route.changes() ? List.of(INTENDED) : List.of());
        route.parameters().forEach(parameter -> parameters.add(parameter(parameter)));
        Map<String, Object> responses = new TreeMap<>();
        responses.put("200", response(route.about(), content(route.content())));
        failures(route).forEach(status -> responses.put(status.toString(), response(FAILURES.get(status), PROBLEM)));
        Map<String, Object> operation = tree("operationId", id(route), "summary", route.about());
        operation.putAll(tree("parameters", parameters, "responses", responses));
        if (route.door() == Door.OPEN) {
            operation.put("security", List.of(tree()));
        }
        return operation;
    }

    /** Returns the id of an operation, such as {@code getExchangesOne}. */
    private static String id(AdminRoute route) {
        String words = Json.word(route.method()) + (route.path().equals("/") ? "/index" : route.path());
        return Pattern.compile("[/.]([a-z])")
                .matcher(words)
                .replaceAll(word -> word.group(1).toUpperCase(Locale.ROOT));
    }

    private static Set<Integer> failures(AdminRoute route) {
        Set<Integer> failures = new TreeSet<>(route.door() == Door.OPEN ? List.of(500) : List.of(401, 429, 500));
        route.failures().forEach(status -> failures.add(status.code()));
        if (route.changes()) {
            failures.add(403);
        }
        if (!route.parameters().isEmpty()) {
            failures.add(400);
        }
        return failures;
    }

    private static Object response(@Nullable String about, Object content) {
        return tree("description", String.valueOf(about), "content", content);
    }

    private static Object parameter(Parameter<?> parameter) {
        Map<String, Object> one = parameter.type().schema();
        Map<String, Object> schema = parameter.count() == Count.ANY ? tree("type", "array", "items", one) : one;
        return parameter(parameter.name(), "query", parameter.about(), parameter.count() == Count.ONCE, schema);
    }

    private static Map<String, Object> parameter(String name, String in, String about, boolean needed, Object schema) {
        Map<String, Object> parameter = tree("name", name, "in", in, "description", about);
        parameter.putAll(tree("required", needed, "schema", schema));
        return parameter;
    }

    private static Map<String, Object> content(Map<String, JsonType<?>> types) {
        Map<String, Object> content = new TreeMap<>();
        types.forEach((mediaType, type) -> content.put(mediaType, tree("schema", type.schema())));
        return content;
    }
}
