package dev.lychgate.server.extensions;

import dev.lychgate.filters.libraries.JarClassLoader;
import dev.lychgate.filters.libraries.LibraryJar;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Defines the classes of one extension. */
final class ExtensionLoader extends JarClassLoader {
    static {
        registerAsParallelCapable();
    }

    private ExtensionLoader(String extension, LibraryJar jar) {
        super(extension, Map.of(extension, jar), ExtensionLoader.class.getClassLoader());
    }

    /**
     * Creates a loader, and reads the whole jar into memory.
     *
     * @throws IOException if the jar can't be read, or its content is too large for the memory
     */
    static ExtensionLoader of(String extension, Path jar) throws IOException {
        return new ExtensionLoader(extension, LibraryJar.read(jar));
    }

    /** Returns the name of the extension that contains {@code type}; null if no extension contains it. */
    static @Nullable String extensionOf(Class<?> type) {
        return type.getClassLoader() instanceof ExtensionLoader loader ? loader.getName() : null;
    }
}
