package dev.lychgate.server.extensions;

import dev.lychgate.extension.Extension;
import dev.lychgate.filters.groovy.NearMiss;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The extensions of this installation, as described by the manifests of the jars in its directories.
 *
 * @param found the extensions, in the order of their names
 * @param unreadable jars that can't be read, each with the reason
 */
public record InstalledExtensions(List<Path> directories, List<InstalledExtension> found, List<String> unreadable) {
    /**
     * The system property that names the only directory to search. Without it, the directories of the installation are
     * searched.
     */
    public static final String DIRECTORY = "lychgate.extensions";

    /** Reads the manifests of all jars. No class of an extension is loaded. */
    public static InstalledExtensions scan() {
        List<Path> directories = searched();
        List<InstalledExtension> found = new ArrayList<>();
        List<String> unreadable = new ArrayList<>();
        for (Path directory : directories) {
            for (Path jar : matching(directory, "*.jar")) {
                try {
                    InstalledExtension extension = InstalledExtension.of(jar);
                    if (extension != null) {
                        found.add(extension);
                    }
                } catch (IOException e) {
                    unreadable.add(jar + " (" + e.getMessage() + ")");
                }
            }
        }
        found.sort(Comparator.comparing(InstalledExtension::name));
        return new InstalledExtensions(directories, found, unreadable);
    }

    private static List<Path> searched() {
        String only = System.getProperty(DIRECTORY);
        if (only != null) {
            return List.of(Path.of(only));
        }
        Set<Path> directories = new LinkedHashSet<>();
        Path jar = jarOfGateway();
        if (jar != null) {
            directories.add(jar.resolveSibling("lib").resolve("extensions"));
        }
        String home = System.getenv("LYCHGATE_HOME");
        if (home != null && !home.isEmpty()) {
            directories.add(Path.of(home, "lib", "extensions"));
            // In a checkout, the jars are in the target directories of the modules.
            matching(Path.of(home, "extensions"), "*").forEach(module -> directories.add(module.resolve("target")));
        }
        return directories.stream().filter(Files::isDirectory).toList();
    }

    private static @Nullable Path jarOfGateway() {
        CodeSource source = InstalledExtensions.class.getProtectionDomain().getCodeSource();
        try {
            return source == null ? null : Path.of(source.getLocation().toURI());
        } catch (URISyntaxException | IllegalArgumentException e) {
            // This class was not loaded from a file.
            return null;
        }
    }

    private static List<Path> matching(Path directory, String pattern) {
        List<Path> all = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, pattern)) {
            files.forEach(all::add);
        } catch (IOException e) {
            // The directory does not exist, so it contains nothing.
            return List.of();
        }
        all.sort(null);
        return all;
    }

    /**
     * Returns the extension with a name.
     *
     * @throws ExtensionException if no extension or several extensions have the name, or if the extension needs another
     *     API version
     */
    InstalledExtension find(String name) throws ExtensionException {
        List<InstalledExtension> named =
                found.stream().filter(each -> each.name().equals(name)).toList();
        if (named.size() > 1) {
            String jars = named.stream().map(each -> each.jar().toString()).collect(Collectors.joining(" and "));
            throw new ExtensionException("two extensions with this name: " + jars, "one jar for each name");
        }
        if (named.isEmpty()) {
            throw unknown(name);
        }
        InstalledExtension only = named.get(0);
        if (!only.isSupported()) {
            throw new ExtensionException(
                    "extension " + name + " needs extension API " + only.api() + ", but this gateway has API "
                            + Extension.API,
                    "a jar for API " + Extension.API + " in place of " + only.jar());
        }
        return only;
    }

    private ExtensionException unknown(String name) {
        Set<String> names = found.stream().map(InstalledExtension::name).collect(Collectors.toSet());
        String near = NearMiss.of(name, names);
        String where = directories.isEmpty()
                ? "lib/extensions beside the jar of the gateway"
                : directories.stream().map(Path::toString).collect(Collectors.joining(", "));
        String known = names.isEmpty()
                ? "an extension; none is installed in " + where
                : "one of " + names.stream().sorted().collect(Collectors.joining(", ")) + ", installed in " + where;
        String unknown = "unknown extension" + (near == null ? "" : ", did you mean '" + near + "'?");
        return new ExtensionException(
                unknown, unreadable.isEmpty() ? known : known + "; unreadable jars: " + String.join(", ", unreadable));
    }

    /**
     * Returns the name of the installed extension that contributes a filter, even if the extension is not in use; null
     * if no installed extension contributes the filter.
     */
    public static @Nullable String contributorOf(String filter) {
        return scan().found().stream()
                .filter(each -> each.filters().contains(filter))
                .map(InstalledExtension::name)
                .findFirst()
                .orElse(null);
    }

    /**
     * Returns the name of the installed extension that contributes an authenticator or authorizer, even if the
     * extension is not in use; null if no installed extension contributes it.
     *
     * @param kind {@code authenticator} or {@code authorizer}
     */
    public static @Nullable String contributorOf(String kind, String name) {
        return scan().found().stream()
                .filter(each -> (kind.equals("authorizer") ? each.authorizers() : each.authenticators()).contains(name))
                .map(InstalledExtension::name)
                .findFirst()
                .orElse(null);
    }
}
