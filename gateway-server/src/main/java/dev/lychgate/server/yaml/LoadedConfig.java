package dev.lychgate.server.yaml;

import dev.lychgate.config.GatewayConfig;
import org.jspecify.annotations.Nullable;

/**
 * A configuration with the texts and positions from which it was read.
 *
 * @param places the positions of the settings in the files
 * @param texts the texts of the files; null if the settings are in code
 */
public record LoadedConfig(
        GatewayConfig config, Places places, @Nullable ConfigTexts texts) {
    /** Creates a configuration without files. */
    public LoadedConfig(GatewayConfig config, Places places) {
        this(config, places, null);
    }

    /** Returns other settings with the positions and texts of the same files. */
    public LoadedConfig with(GatewayConfig other) {
        return new LoadedConfig(other, places, texts);
    }
}
