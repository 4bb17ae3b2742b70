package dev.lychgate.server.admin;

import dev.lychgate.gateway.Gateway;
import dev.lychgate.generation.Generation;
import dev.lychgate.route.Route;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The labels of the routes in force. During a rollout, the routes of the candidate are in force in addition to the
 * routes of the running generation. Immutable.
 */
final class LabelledRoutes {
    private final List<Generation> generations;

    private LabelledRoutes(List<Generation> generations) {
        this.generations = generations;
    }

    static LabelledRoutes of(AdminSource source) {
        List<Generation> generations = new ArrayList<>(2);
        Generation running = source.generation();
        if (running != null) {
            generations.add(running);
        }
        Gateway gateway = source.gateway();
        Generation candidate = gateway == null ? null : gateway.candidate();
        if (candidate != null) {
            generations.add(candidate);
        }
        return new LabelledRoutes(List.copyOf(generations));
    }

    /** Returns whether a route is in force and has all of these labels in every generation in force. */
    boolean have(String id, Map<String, String> labels) {
        boolean found = false;
        for (Generation generation : generations) {
            Route route = generation.route(id);
            if (route != null) {
                if (!route.config().labels().entrySet().containsAll(labels.entrySet())) {
                    return false;
                }
                found = true;
            }
        }
        return found;
    }
}
