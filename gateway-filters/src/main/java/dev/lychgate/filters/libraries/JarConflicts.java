package dev.lychgate.filters.libraries;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.TreeSet;

/** Finds unused classes in jars. A class is unused if another jar or the gateway contains a class with its name. */
public final class JarConflicts {
    private static final String CLASS = ".class";

    private JarConflicts() {}

    /**
     * Returns one line for each library of the gateway that a jar contains. Also returns one line for each pair of jars
     * that contain classes with equal names.
     *
     * @param jars the jars in the order in which they are searched for a class; the keys are the names in the lines
     */
    public static List<String> of(Map<String, LibraryJar> jars) {
        Map<String, String> owners = new LinkedHashMap<>();
        Map<String, List<String>> twice = new LinkedHashMap<>();
        List<String> lines = new ArrayList<>();
        jars.forEach((name, jar) -> {
            TreeSet<String> shared = new TreeSet<>();
            for (String entry : jar.entries().keySet()) {
                if (!entry.endsWith(CLASS) || entry.endsWith("-info.class")) {
                    continue;
                }
                String type =
                        entry.substring(0, entry.length() - CLASS.length()).replace('/', '.');
                String library = JarClassLoader.shared(type);
                if (library != null && JarConflicts.class.getClassLoader().getResource(entry) != null) {
                    shared.add(library);
                    continue;
                }
                String first = owners.putIfAbsent(type, name);
                if (first != null) {
                    twice.computeIfAbsent(name + " and " + first, pair -> new ArrayList<>())
                            .add(type);
                }
            }
            shared.forEach(library -> lines.add(name + ": its classes in " + library
                    + "* are not used, because filters share these classes with the gateway, which has "
                    + Versions.of(library)));
        });
        twice.forEach((pair, types) -> lines.add(pair + " have the same class " + types.get(0)
                + (types.size() == 1 ? "" : " and " + (types.size() - 1) + " more")
                + "; the classes of " + pair.substring(pair.lastIndexOf(' ') + 1) + " are used"));
        return lines;
    }

    /**
     * The versions of the libraries that filters share with the gateway. They are loaded when the first conflict is
     * found.
     */
    private static final class Versions {
        private static final Properties ALL = new Properties();

        static {
            try (InputStream in = JarConflicts.class.getResourceAsStream("shared.properties")) {
                ALL.load(Objects.requireNonNull(in));
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }

        static String of(String library) {
            return ALL.getProperty(library, "the JDK " + Runtime.version().feature());
        }
    }
}
