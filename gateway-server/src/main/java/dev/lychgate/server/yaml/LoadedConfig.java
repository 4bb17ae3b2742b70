package dev.lychgate.server.yaml;

import dev.lychgate.config.GatewayConfig;
import org.jspecify.annotations.Nullable;

/**
 * A configuration with the texts and positions from which it was read.
 *
 * @param places the positions of the settings in the file
 * @param texts the texts of the files, which contain references instead of secrets; null for settings that do not come
 *     from a file
 * @param secrets the secrets to which the files refer
 */
public record LoadedConfig(
        GatewayConfig config, Places places, @Nullable ConfigTexts texts, ReferredSecrets secrets) {
    /** Creates a configuration without files. */
    public LoadedConfig(GatewayConfig config, Places places) {
        this(config, places, null, ReferredSecrets.NONE);
    }

    /** Returns a configuration with other settings, and with the positions and texts of this configuration. */
    public LoadedConfig with(GatewayConfig other) {
        return new LoadedConfig(other, places, texts, secrets);
    }
}
