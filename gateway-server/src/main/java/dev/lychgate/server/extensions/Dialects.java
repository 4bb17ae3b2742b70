package dev.lychgate.server.extensions;

import dev.lychgate.config.ConfigException;
import dev.lychgate.config.ExtensionConfig;
import dev.lychgate.config.PlainValues;
import dev.lychgate.extension.Extension;
import dev.lychgate.extension.FilterDialect;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Finds the dialect in which files of the filter directory may be written. */
public final class Dialects {
    private Dialects() {}

    /**
     * Returns the dialect of the extensions in use; null if no extension in use has a dialect.
     *
     * @throws ConfigException if an extension can't be used; the key of the exception is the path from the top
     */
    public static @Nullable FilterDialect of(Map<String, ExtensionConfig> configs) {
        FilterDialect found = null;
        String owner = "";
        for (ExtensionConfig config : configs.values()) {
            FilterDialect dialect = of(config);
            if (dialect != null && found != null) {
                throw new ConfigException(
                        "extensions." + config.name(),
                        "has a dialect of filters",
                        "at most one extension with a dialect; extension " + owner + " also has one");
            }
            if (dialect != null) {
                found = dialect;
                owner = config.name();
            }
        }
        return found;
    }

    private static @Nullable FilterDialect of(ExtensionConfig config) {
        String key = "extensions." + config.name();
        try {
            return dialect(OpenExtension.of(config).extension(), config);
        } catch (ExtensionException e) {
            throw new ConfigException(key, e.problem(), e.expected());
        } catch (ConfigException e) {
            throw e.key().startsWith(key) ? e : new ConfigException(key + "." + e.key(), e.value(), e.expected());
        } catch (RuntimeException | LinkageError e) {
            ConfigException failed =
                    new ConfigException(key, OpenExtension.cause(e), "settings that the extension accepts");
            failed.initCause(e);
            throw failed;
        }
    }

    private static <S> @Nullable FilterDialect dialect(Extension<S, ?> extension, ExtensionConfig config) {
        return extension.dialect(extension.keys().read(PlainValues.of(config.settings())));
    }
}
