package dev.lychgate.server.filters;

import dev.lychgate.access.AccessSet;
import dev.lychgate.access.AuthenticateSection;
import dev.lychgate.config.AccessConfig;
import dev.lychgate.config.AuthenticateConfig;
import dev.lychgate.config.ConfigException;
import dev.lychgate.config.FilterConfig;
import dev.lychgate.config.GatewayConfig;
import dev.lychgate.config.ListenerConfig;
import dev.lychgate.config.RouteConfig;
import dev.lychgate.filter.Authenticator;
import dev.lychgate.filter.Filter;
import dev.lychgate.server.extensions.Contributions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Creates the authenticators and authorizers that a configuration names.
 *
 * @param contributions the extensions in use; null if there are none
 * @param faults receives the errors, whose keys are paths from the top of the configuration
 */
record GuardAssembly(@Nullable Contributions contributions, List<ConfigException> faults) {
    AccessSet of(GatewayConfig config) {
        AccessConfig everywhere = config.policies().access();
        Map<String, AuthenticateSection> listeners = new HashMap<>();
        for (int i = 0; i < config.listeners().size(); i++) {
            ListenerConfig listener = config.listeners().get(i);
            if (listener.authenticate() != null) {
                listeners.put(listener.name(), section(listener.authenticate(), "listeners[" + i + "].authenticate"));
            }
        }
        Map<String, AuthenticateSection> routes = new HashMap<>();
        Map<String, List<Filter>> authorizers = new HashMap<>();
        Set<String> names = new HashSet<>();
        List<Filter> ofAllRoutes = authorizers(everywhere.authorize(), "authorize", names);
        for (int i = 0; i < config.routes().size(); i++) {
            RouteConfig route = config.routes().get(i);
            AccessConfig access = route.access();
            if (access.authenticate() != null) {
                routes.put(route.id(), section(access.authenticate(), "routes[" + i + "].authenticate"));
            }
            if (!access.authorize().isEmpty()) {
                authorizers.put(
                        route.id(),
                        authorizers(access.authorize(), "routes[" + i + "].authorize", new HashSet<>(names)));
            }
        }
        return new AccessSet(
                everywhere.authenticate() == null ? null : section(everywhere.authenticate(), "authenticate"),
                listeners,
                routes,
                ofAllRoutes,
                authorizers);
    }

    private AuthenticateSection section(AuthenticateConfig config, String where) {
        List<AuthenticateSection.Named> all = new ArrayList<>();
        for (int i = 0; i < config.anyOf().size(); i++) {
            FilterConfig each = config.anyOf().get(i);
            String here = where + ".any-of[" + i + "]";
            try {
                Authenticator made = contributions == null ? null : contributions.authenticator(each, here);
                if (made == null) {
                    throw new ConfigException(here, each.name(), "an authenticator of an extension in use");
                }
                all.add(new AuthenticateSection.Named(each.name(), made));
            } catch (ConfigException e) {
                faults.add(e);
            }
        }
        return new AuthenticateSection(config, all);
    }

    /** @param names the names of the authorizers that run on the same routes; this method adds the new names */
    private List<Filter> authorizers(List<FilterConfig> configs, String where, Set<String> names) {
        List<Filter> all = new ArrayList<>();
        for (int i = 0; i < configs.size(); i++) {
            FilterConfig each = configs.get(i);
            String here = where + "[" + i + "]";
            int number = 1;
            String suffix = "";
            while (!names.add(each.name() + suffix)) {
                number++;
                suffix = " (" + number + ")";
            }
            try {
                Filter made = contributions == null ? null : contributions.authorizer(each, here, suffix);
                if (made == null) {
                    throw new ConfigException(here, each.name(), "an authorizer of an extension in use");
                }
                all.add(made);
            } catch (ConfigException e) {
                faults.add(e);
            }
        }
        return all;
    }
}
