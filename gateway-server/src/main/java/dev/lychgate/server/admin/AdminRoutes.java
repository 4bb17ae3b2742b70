package dev.lychgate.server.admin;

import dev.lychgate.server.admin.AdminRoute.Method;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The table of all that can be asked. */
final class AdminRoutes {
    private final List<AdminRoute> all;

    /** @param others all but the list of them, which is made here */
    AdminRoutes(List<AdminRoute> others) {
        AdminRoute list = AdminRoute.get("/", "this list", given -> AdminAnswer.now(index()));
        this.all = Stream.concat(Stream.of(list), others.stream()).toList();
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

    private AdminAnswer index() {
        return AdminAnswer.json(json -> {
            json.writeStartObject();
            for (AdminRoute route : all) {
                json.writeStringField(route.label(), route.about());
            }
            json.writeEndObject();
        });
    }
}
