package dev.lychgate.server.admin;

import dev.lychgate.server.admin.AdminRoute.Method;
import dev.lychgate.server.json.Json;
import dev.lychgate.server.json.JsonType;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The table of all that can be asked. */
final class AdminRoutes {
    private static final JsonType<Map<String, ? extends String>> INDEX = Json.map(Json.TEXT);

    private final List<AdminRoute> all;

    /** @param others all but the list and the description of them, which are made here */
    AdminRoutes(List<AdminRoute> others, SlowPages slow) {
        Page index = Page.json(INDEX, given -> AdminAnswer.now(AdminAnswer.json(INDEX, index())));
        Page api = Page.slow(Json.TREE, slow, given -> OpenApi.document(all()));
        this.all = Stream.of(
                        Stream.of(AdminRoute.get("/", "This list.", index)),
                        others.stream(),
                        Stream.of(AdminRoute.get("/openapi.json", "All of this for programs, in OpenAPI 3.1.", api)))
                .flatMap(some -> some)
                .toList();
    }

    List<AdminRoute> all() {
        return all;
    }

    /** What is asked for; null if nothing is, by that method. */
    @Nullable
    AdminRoute find(Method method, String path) {
        return all.stream()
                .filter(route -> route.method() == method && route.path().equals(path))
                .findFirst()
                .orElse(null);
    }

    /** The methods that a path takes, as {@code Allow} has them; of a path that does not exist, those that ask for no harm. */
    String allowed(String path) {
        String methods = all.stream()
                .filter(route -> route.path().equals(path))
                .map(route -> route.method() == Method.GET ? "GET, HEAD" : "POST")
                .distinct()
                .collect(Collectors.joining(", "));
        return methods.isEmpty() ? "GET, HEAD" : methods;
    }

    private Map<String, String> index() {
        Map<String, String> index = new LinkedHashMap<>();
        all.forEach(route -> index.put(route.label(), route.about()));
        return index;
    }
}
