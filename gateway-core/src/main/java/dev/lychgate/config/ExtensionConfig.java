package dev.lychgate.config;

import java.util.Map;

/**
 * The section of an extension. It holds no class of the extension, so that an old configuration does not keep the classes
 * of an extension in memory.
 *
 * @param name the name of the extension
 * @param settings the values of the keys that the section has, as {@link PlainValues} writes them
 * @param source the jar that declared the keys
 */
public record ExtensionConfig(String name, Map<String, Object> settings, Source source) {
    /**
     * The state of a jar.
     *
     * @param path the path of the jar
     * @param stamp its size, time of modification and file number; it differs after each change of the file
     */
    public record Source(String path, String stamp) {}

    public ExtensionConfig {
        settings = Expect.copy(settings);
    }
}
