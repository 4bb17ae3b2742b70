package dev.lychgate.server.extensions;

import dev.lychgate.config.ExtensionConfig;
import dev.lychgate.extension.Extension;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Objects;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A jar with an extension, as its manifest describes it.
 *
 * @param version the version of the jar; {@code unknown} if the manifest has no version
 * @param api the version of the extension API that the extension needs
 * @param filters the names of the filters that the extension contributes
 * @param authenticators the names of the authenticators that the extension contributes
 * @param authorizers the names of the authorizers that the extension contributes
 * @param stores the names of the fleet stores that the extension contributes
 */
public record InstalledExtension(
        String name,
        String version,
        String api,
        String type,
        List<String> filters,
        List<String> authenticators,
        List<String> authorizers,
        List<String> stores,
        Path jar) {
    /**
     * Reads only the manifest of a jar.
     *
     * @return null if the jar is not an extension
     */
    static @Nullable InstalledExtension of(Path jar) throws IOException {
        try (JarFile file = new JarFile(jar.toFile(), false)) {
            Manifest manifest = file.getManifest();
            Attributes all = manifest == null ? new Attributes() : manifest.getMainAttributes();
            String name = all.getValue("Lychgate-Extension");
            return name == null
                    ? null
                    : new InstalledExtension(
                            name,
                            Objects.requireNonNullElse(all.getValue(Attributes.Name.IMPLEMENTATION_VERSION), "unknown"),
                            Objects.requireNonNullElse(all.getValue("Lychgate-Extension-Api"), "missing"),
                            Objects.requireNonNullElse(all.getValue("Lychgate-Extension-Class"), ""),
                            words(all.getValue("Lychgate-Extension-Filters")),
                            words(all.getValue("Lychgate-Extension-Authenticators")),
                            words(all.getValue("Lychgate-Extension-Authorizers")),
                            words(all.getValue("Lychgate-Extension-Stores")),
                            jar);
        }
    }

    private static List<String> words(@Nullable String list) {
        return list == null
                ? List.of()
                : Stream.of(list.split(",", -1)).map(String::strip).toList();
    }

    /** Returns whether this gateway has the API that the extension needs. */
    public boolean isSupported() {
        return api.equals(Integer.toString(Extension.API));
    }

    /**
     * Returns the path, size, time and file key of the jar, which identify its content.
     *
     * @throws IOException if the jar is missing
     */
    ExtensionConfig.Source source() throws IOException {
        BasicFileAttributes file = Files.readAttributes(jar, BasicFileAttributes.class);
        return new ExtensionConfig.Source(
                jar.toString(), file.size() + " " + file.lastModifiedTime() + " " + file.fileKey());
    }
}
