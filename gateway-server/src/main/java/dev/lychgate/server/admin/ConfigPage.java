package dev.lychgate.server.admin;

import dev.lychgate.gateway.Gateway;
import dev.lychgate.generation.Generation;
import dev.lychgate.listener.Listener;
import dev.lychgate.server.json.Json;
import dev.lychgate.server.json.Shape;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** {@code /config}: the configuration in use. */
final class ConfigPage {
    /** @param generation the one in use when the page was requested */
    record Config(Gateway gateway, Generation generation) {
        private Object tree() {
            return Objects.requireNonNull(ConfigTree.of(generation.config()));
        }
    }

    static final Shape<Config> SHAPE = new Shape<Config>("Config", "The configuration in use, with every default.")
            .integer("generation", "The number of the generation.", all -> all.generation.number())
            .field("config", Json.TREE, "Named as in the file; *** stands for a secret.", Config::tree)
            .field("effective", Json.TREE, "What the machine keeps below these values.", all -> effective(all.gateway));

    private ConfigPage() {}

    static Config of(Gateway gateway) {
        return new Config(gateway, gateway.generation());
    }

    private static Map<String, Object> effective(Gateway gateway) {
        List<Object> listeners =
                gateway.listeners().stream().map(ConfigPage::effective).toList();
        return Map.of("listeners", listeners);
    }

    private static Object effective(Listener listener) {
        return Map.of("name", listener.config().name(), "limits", Map.of("connections", listener.connectionLimit()));
    }
}
