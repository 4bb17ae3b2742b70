package dev.lychgate.filters.api;

import java.io.IOException;
import java.lang.reflect.Modifier;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Finds the public types of a package, in a directory of classes or in a jar. */
final class PublicTypes {
    private PublicTypes() {}

    /** Returns the public types in the package of {@code known}, nested ones included, by name. */
    static List<Class<?>> beside(Class<?> known) throws Exception {
        String inside = known.getPackageName().replace('.', '/');
        URI source = known.getProtectionDomain().getCodeSource().getLocation().toURI();
        Path place = Path.of(source);
        if (Files.isDirectory(place)) {
            return in(known, place.resolve(inside));
        }
        try (FileSystem jar = FileSystems.newFileSystem(place)) {
            return in(known, jar.getPath(inside));
        }
    }

    private static List<Class<?>> in(Class<?> known, Path directory) throws IOException, ClassNotFoundException {
        List<String> names;
        try (Stream<Path> files = Files.list(directory)) {
            names = files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".class") && !name.equals("package-info.class"))
                    .map(name -> known.getPackageName() + "." + name.substring(0, name.length() - ".class".length()))
                    .sorted()
                    .toList();
        }
        List<Class<?>> types = new ArrayList<>();
        for (String name : names) {
            Class<?> type = Class.forName(name, false, known.getClassLoader());
            if (isOpen(type)) {
                types.add(type);
            }
        }
        return types;
    }

    /** Returns whether other packages can use the type: it and its enclosing types are public. */
    private static boolean isOpen(Class<?> type) {
        Class<?> around = type.getEnclosingClass();
        return !type.isAnonymousClass()
                && !type.isLocalClass()
                && Modifier.isPublic(type.getModifiers())
                && (around == null || isOpen(around));
    }
}
