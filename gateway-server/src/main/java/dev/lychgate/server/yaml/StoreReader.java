package dev.lychgate.server.yaml;

import dev.lychgate.config.FilterConfig;
import dev.lychgate.server.extensions.ContributedStores;
import dev.lychgate.server.extensions.ExtensionException;
import java.util.Map;

/** Reads a fleet store that an extension contributes: {@code name: { settings }}. Opens the extension. */
final class StoreReader {
    /** The kind of contribution that this class reads. */
    static final String KIND = "store";

    private StoreReader() {}

    static FilterConfig read(Element element) {
        return element.single("the name of a store", FilterReader.NONE, StoreReader::store);
    }

    private static FilterConfig store(Element name, Element settings) {
        String kind = name.trail.last();
        try {
            Map<String, Object> values =
                    ExtensionReader.settings(ContributedStores.keys(kind), name, settings.orEmpty());
            return new FilterConfig(kind, values == null ? Map.of() : values);
        } catch (ExtensionException e) {
            name.refuse(e.problem(), e.expected());
            return FilterReader.NONE;
        }
    }
}
