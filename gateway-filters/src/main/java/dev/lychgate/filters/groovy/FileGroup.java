package dev.lychgate.filters.groovy;

import dev.lychgate.filters.libraries.Sha256;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A group of files that share one class loader. Immutable. Two files belong to the same group in two cases:
 *
 * <ul>
 *   <li>Each refers to the other.
 *   <li>One refers to the other, and they have the same package. A member without {@code public} is accessible only
 *       from classes with the same package and the same loader.
 * </ul>
 *
 * @param key a digest of the files, of all files that they use directly or indirectly, and of the jars
 * @param uses the groups that contain files to which these files refer
 * @param code the byte code of the files, and the file of each class to which the files may refer
 */
record FileGroup(String key, Set<String> files, List<FileGroup> uses, CompiledSources code) {
    /**
     * Texts that indicate the loading of classes. Code that contains one of these texts may load a class by a name that
     * the code does not contain, or through the loader of another class.
     */
    private static final List<String> LOADING = List.of(
            "forName",
            "loadClass",
            "findClass",
            "lassLoader",
            "ObjectInputStream",
            "ServiceLoader",
            "GroovyShell",
            "Eval");

    /** Finds the name {@code evaluate}. Each script has a method with this name, which compiles a text. */
    private static final Pattern EVALUATE = Pattern.compile("\\bevaluate\\b");

    /**
     * Returns the groups of the files of a bundle. If the texts of the files do not show which files refer to each
     * other, returns one group with all files.
     */
    static List<FileGroup> of(FilterBundle bundle, CompiledSources code) {
        Map<String, Set<String>> names = new HashMap<>();
        bundle.files().forEach(file -> names.put(file.path(), new HashSet<>()));
        boolean separable = bundle.files().stream()
                .noneMatch(file -> file.isJava() || loads(FileReferences.unescaped(file.text())));
        for (String name : code.byteCode().keySet()) {
            String topLevel = name.indexOf('$') < 0 ? name : name.substring(0, name.indexOf('$'));
            String file = code.fileOf().get(topLevel);
            if (file == null) {
                separable = false;
            } else {
                Objects.requireNonNull(names.get(file)).add(topLevel);
            }
        }
        FileReferences references = new FileReferences(bundle.files(), separable ? names : Map.of());
        if (separable) {
            names.forEach((file, own) -> references.dependencies(Set.of(file)).stream()
                    .filter(other -> sharePackage(own, Objects.requireNonNull(names.get(other))))
                    .forEach(other -> references.add(/* file= */ other, /* owner= */ file)));
        }
        return new Grouping(bundle, code, references, separable).groups();
    }

    private static boolean loads(String text) {
        return LOADING.stream().anyMatch(text::contains)
                || EVALUATE.matcher(text).find();
    }

    private static boolean sharePackage(Set<String> some, Set<String> others) {
        return some.stream()
                .anyMatch(name ->
                        others.stream().anyMatch(other -> packageOf(name).equals(packageOf(other))));
    }

    private static String packageOf(String className) {
        return className.substring(0, className.lastIndexOf('.') + 1);
    }

    /** Forms the groups of a bundle. In the result, each group follows the groups that it uses. */
    private static final class Grouping {
        private final FilterBundle bundle;
        private final FileReferences references;
        private final boolean separable;
        private final Map<String, String> digests = new HashMap<>();
        private final Map<String, Map<String, byte[]>> classes = new HashMap<>();
        /** The names of all classes of each file. */
        private final Map<String, List<String>> namesIn = new HashMap<>();

        private final Map<String, FileGroup> known = new HashMap<>();
        private final List<FileGroup> groups = new ArrayList<>();

        Grouping(FilterBundle bundle, CompiledSources code, FileReferences references, boolean separable) {
            this.bundle = bundle;
            this.references = references;
            this.separable = separable;
            bundle.files().forEach(file -> digests.put(file.path(), file.digest()));
            code.byteCode()
                    .forEach((name, bytes) -> classes.computeIfAbsent(
                                    Objects.requireNonNullElse(code.fileOf(name), ""), file -> new HashMap<>())
                            .put(name, bytes));
            code.fileOf()
                    .forEach((name, file) -> namesIn.computeIfAbsent(file, each -> new ArrayList<>())
                            .add(name));
        }

        List<FileGroup> groups() {
            if (!separable) {
                add(digests.keySet(), Set.of());
            }
            bundle.files().forEach(file -> groupOf(file.path()));
            return groups;
        }

        private FileGroup groupOf(String file) {
            FileGroup before = known.get(file);
            if (before != null) {
                return before;
            }
            Set<String> uses = new TreeSet<>(references.dependencies(Set.of(file)));
            Set<String> together = new TreeSet<>(references.dependents(Set.of(file)));
            together.retainAll(uses);
            uses.removeAll(together);
            return add(together, uses);
        }

        /**
         * Adds a group of files.
         *
         * @param uses all other files that {@code files} use, directly or indirectly
         */
        private FileGroup add(Set<String> files, Set<String> uses) {
            List<FileGroup> groupsUsed =
                    uses.stream().map(this::groupOf).distinct().toList();
            Map<String, byte[]> own = new HashMap<>();
            (separable ? files : classes.keySet()).forEach(file -> own.putAll(classes.getOrDefault(file, Map.of())));
            Map<String, String> fileOf = new HashMap<>();
            groupsUsed.forEach(group -> fileOf.putAll(group.code.fileOf()));
            files.forEach(file -> namesIn.getOrDefault(file, List.of()).forEach(name -> fileOf.put(name, file)));
            FileGroup group = new FileGroup(
                    key(files, groupsUsed), Set.copyOf(files), groupsUsed, new CompiledSources(own, fileOf, List.of()));
            files.forEach(file -> known.put(file, group));
            groups.add(group);
            return group;
        }

        private String key(Set<String> files, List<FileGroup> groupsUsed) {
            String all = files.stream()
                            .sorted()
                            .map(file -> file + " " + digests.get(file))
                            .collect(Collectors.joining("\n"))
                    + groupsUsed.stream()
                            .map(FileGroup::key)
                            .sorted()
                            .collect(Collectors.joining("\n", "\nuses ", "\n"))
                    + CompiledBundle.libraries(bundle);
            return Sha256.of(all);
        }
    }
}
