package dev.lychgate.server.yaml;

import dev.lychgate.config.GatewayConfig;

/**
 * A configuration and its file.
 *
 * @param places the positions of the settings in the file
 */
public record LoadedConfig(GatewayConfig config, Places places) {}
