package dev.lychgate.server.admin;

import dev.lychgate.config.GatewayConfig;
import dev.lychgate.config.WrittenConfig;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A configuration as a tree under the keys of the file. What it holds back is a {@link Secrets.Masked}. */
final class ConfigTree {
    private ConfigTree() {}

    /** @param value a configuration, or a part of its tree */
    static @Nullable Object of(Object value) {
        return of("", value instanceof GatewayConfig config ? WrittenConfig.of(config) : value);
    }

    private static @Nullable Object of(String name, @Nullable Object value) {
        if (value instanceof Map<?, ?> map) {
            return ofMap(name, map);
        }
        if (value instanceof List<?> items) {
            List<@Nullable Object> list = new ArrayList<>();
            items.forEach(item -> list.add(of(name, item)));
            return list;
        }
        if (value instanceof WrittenConfig.Secret secret) {
            return Secrets.mask(secret);
        }
        if (value instanceof URI url) {
            return Secrets.url(url);
        }
        return value instanceof String text ? Secrets.withoutUserInfo(text) : value;
    }

    private static Map<String, @Nullable Object> ofMap(String of, Map<?, ?> map) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        // { name: authorization, value: ... }
        boolean secretField = Secrets.isSecretField(String.valueOf(map.get("name")));
        map.forEach((key, value) -> {
            String name = String.valueOf(key);
            boolean secret = (of.equals("headers") ? Secrets.isSecretField(name) : Secrets.isSecret(name))
                    || (secretField && name.equals("value"));
            // A path tells nothing, and an upstream may be called whatever it likes.
            secret &= !(value instanceof Path || value instanceof Map || value instanceof Boolean);
            tree.put(name, secret ? Secrets.mask(value) : of(name, value));
        });
        return tree;
    }
}
