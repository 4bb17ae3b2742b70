package dev.lychgate.server.admin;

import dev.lychgate.config.GatewayConfig;
import dev.lychgate.config.Secret;
import dev.lychgate.config.SecretNames;
import dev.lychgate.config.WrittenConfig;
import dev.lychgate.gateway.Gateway;
import dev.lychgate.generation.Generation;
import dev.lychgate.listener.Listener;
import dev.lychgate.server.json.Json;
import dev.lychgate.server.json.Shape;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** {@code /config}: the configuration in use. */
final class ConfigPage {
    /** @param generation the generation in use at the time of the request */
    record Config(Gateway gateway, Generation generation) {
        private Object tree() {
            return Objects.requireNonNull(ConfigPage.tree(generation.config()));
        }
    }

    static final Shape<Config> SHAPE = new Shape<Config>("Config", "The configuration in use, with every default.")
            .integer("generation", "The number of the generation.", all -> all.generation.number())
            .field("config", Json.TREE, "The settings, named as in the file; *** replaces a secret.", Config::tree)
            .field(
                    "effective",
                    Json.TREE,
                    "The limits in effect, which may be lower than the configured limits.",
                    all -> effective(all.gateway));

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

    /**
     * Returns a configuration as a tree. The tree has the keys of the configuration file. A secret value is a {@link
     * Secrets.Masked}.
     *
     * @param value a configuration, or a part of its tree
     */
    static @Nullable Object tree(Object value) {
        return tree("", value instanceof GatewayConfig config ? WrittenConfig.of(config) : value);
    }

    private static @Nullable Object tree(String name, @Nullable Object value) {
        if (value instanceof Map<?, ?> map) {
            return ofMap(name, map);
        }
        if (value instanceof List<?> items) {
            List<@Nullable Object> list = new ArrayList<>();
            items.forEach(item -> list.add(tree(name, item)));
            return list;
        }
        if (value instanceof Secret secret) {
            return Secrets.mask(secret);
        }
        if (value instanceof URI url) {
            return Secrets.url(url);
        }
        return value instanceof String text ? SecretNames.withoutUserInfo(text) : value;
    }

    private static Map<String, @Nullable Object> ofMap(String of, Map<?, ?> map) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        // True for a header field such as { name: authorization, value: ... }.
        boolean secretField = SecretNames.isSecretField(String.valueOf(map.get("name")));
        map.forEach((key, value) -> {
            String name = String.valueOf(key);
            boolean secret = (of.equals("headers") ? SecretNames.isSecretField(name) : SecretNames.isSecret(name))
                    || (secretField && name.equals("value"));
            // The path of a file is not a secret. A key whose value is a map may be the name of an upstream, which can
            // be any word.
            secret &= !(value instanceof Path || value instanceof Map || value instanceof Boolean);
            tree.put(name, secret ? Secrets.mask(value) : tree(name, value));
        });
        return tree;
    }
}
