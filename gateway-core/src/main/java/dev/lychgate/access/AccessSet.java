package dev.lychgate.access;

import dev.lychgate.filter.Filter;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The authentication and authorization of one generation. Immutable.
 *
 * @param everywhere the authentication of all listeners without a section; null for none
 * @param ofListeners the authentication of single listeners, by the name of the listener
 * @param ofRoutes the authentication of single routes, by the id of the route
 * @param authorizers the authorizers of all routes
 * @param authorizersOfRoutes further authorizers of single routes, by the id of the route
 */
public record AccessSet(
        @Nullable AuthenticateSection everywhere,
        Map<String, AuthenticateSection> ofListeners,
        Map<String, AuthenticateSection> ofRoutes,
        List<Filter> authorizers,
        Map<String, List<Filter>> authorizersOfRoutes) {
    /** No authentication and no authorization. */
    public static final AccessSet NONE = new AccessSet(null, Map.of(), Map.of(), List.of(), Map.of());

    public AccessSet {
        ofListeners = Map.copyOf(ofListeners);
        ofRoutes = Map.copyOf(ofRoutes);
        authorizers = List.copyOf(authorizers);
        authorizersOfRoutes = Map.copyOf(authorizersOfRoutes);
    }

    /** Returns only the authorizers, for exchanges whose sender is known otherwise. */
    public AccessSet withoutAuthentication() {
        return new AccessSet(null, Map.of(), Map.of(), authorizers, authorizersOfRoutes);
    }

    /** Returns all authorizers, of all routes and of single routes. */
    public Stream<Filter> allAuthorizers() {
        return Stream.concat(
                authorizers.stream(), authorizersOfRoutes.values().stream().flatMap(List::stream));
    }
}
