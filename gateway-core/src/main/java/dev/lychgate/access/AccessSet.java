package dev.lychgate.access;

import dev.lychgate.filter.Filter;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The authentication and authorization of one generation. Immutable.
 *
 * @param everywhere the authentication of all listeners that have no separate authentication section; null if they have
 *     none
 * @param ofListeners the authentication of each listener that has a separate authentication section, by the name of the
 *     listener
 * @param ofRoutes the authentication of each route that has a separate authentication section, by the id of the route
 * @param authorizers the authorizers that apply to all routes
 * @param authorizersOfRoutes the additional authorizers of individual routes, by the id of the route
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

    /**
     * Returns a set without authentication, for replays. In a replay, the sender of each request is already identified.
     */
    public AccessSet withoutAuthentication() {
        return new AccessSet(null, Map.of(), Map.of(), authorizers, authorizersOfRoutes);
    }

    /** Returns the authorizers that apply to all routes, followed by the authorizers of individual routes. */
    public Stream<Filter> allAuthorizers() {
        return Stream.concat(
                authorizers.stream(), authorizersOfRoutes.values().stream().flatMap(List::stream));
    }
}
