package dev.lychgate.server.yaml;

import dev.lychgate.config.GatewayConfig;
import org.jspecify.annotations.Nullable;

/**
 * A configuration and its file.
 *
 * @param places the positions of the settings in the file
 * @param texts the texts of the files; null for settings that are in no file
 */
public record LoadedConfig(
        GatewayConfig config, Places places, @Nullable ConfigTexts texts) {
    /** Creates a configuration without files. */
    public LoadedConfig(GatewayConfig config, Places places) {
        this(config, places, null);
    }

    /** Returns these settings with others, for the same files. */
    public LoadedConfig with(GatewayConfig other) {
        return new LoadedConfig(other, places, texts);
    }
}
