package dev.lychgate.config;

import java.util.Map;

/**
 * The section of an extension. The values contain no objects of the extension's classes, so an old configuration does
 * not keep these classes in memory.
 *
 * @param name the name of the extension
 * @param settings the values of the keys that the section contains, in the form that {@link PlainValues} writes
 * @param source the jar that declared the keys
 */
public record ExtensionConfig(String name, Map<String, Object> settings, Source source) {
    /**
     * Identifies the state of a jar.
     *
     * @param path the path of the jar
     * @param stamp the size, modification time and file number of the jar; the stamp differs after each change of the
     *     file
     */
    public record Source(String path, String stamp) {}

    public ExtensionConfig {
        settings = Expect.copy(settings);
    }
}
