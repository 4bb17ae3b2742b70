package com.netflix.config;

/** Provides the configuration with all properties. */
public class ConfigurationManager {
    private static final PropertyConfiguration INSTANCE = new PropertyConfiguration();

    private ConfigurationManager() {}

    public static PropertyConfiguration getConfigInstance() {
        return INSTANCE;
    }
}
