package dev.lychgate.filters.groovy;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Determines the possible references between the files of a bundle. A file refers to a second file if it uses a class
 * of the second file. A file counts as referring to a class if its text contains two words: the name of the class, and
 * the last part of the name of its package. The words may be anywhere in the text, even in comments and strings. This
 * test finds every reference, because imports, packages and qualified names contain these words.
 */
final class FileReferences {
    private static final Pattern ESCAPE = Pattern.compile("\\\\u+([0-9a-fA-F]{4})");

    /** Finds declarations of classes at the beginning of a line, after modifiers and annotations. */
    private static final Pattern DECLARATION = Pattern.compile(
            "(?m)^(?:[\\w@][^\\n]*?\\s)?(?:class|interface|enum|trait|record)\\s+([\\p{javaJavaIdentifierPart}&&[^$]]+)");

    private final Map<String, Set<String>> uses = new HashMap<>();
    private final Map<String, Set<String>> usedBy = new HashMap<>();

    /**
     * Finds the references between files.
     *
     * @param classes the names of the top-level classes of each file, including files that no longer exist
     */
    FileReferences(List<FilterSource> files, Map<String, Set<String>> classes) {
        Map<String, Map<String, Set<String>>> owners = new HashMap<>();
        Set<String> known = new HashSet<>();
        classes.forEach((file, names) -> names.forEach(name -> {
            int dot = name.lastIndexOf('.');
            String place = place(name);
            known.add(place);
            known.add(name.substring(dot + 1));
            owners.computeIfAbsent(name.substring(dot + 1), key -> new HashMap<>())
                    .computeIfAbsent(place, key -> new HashSet<>())
                    .add(file);
        }));
        for (FilterSource file : files) {
            Set<String> words = words(file.text(), known);
            words.add("");
            for (String word : words) {
                owners.getOrDefault(word, Map.of()).forEach((place, owning) -> {
                    if (words.contains(place)) {
                        owning.forEach(owner -> add(file.path(), owner));
                    }
                });
            }
            // Two files that declare classes with the same name must be compiled together, whatever their texts
            // contain, so that the compiler reports the conflict.
            for (String name : classes.getOrDefault(file.path(), Set.of())) {
                owners.getOrDefault(name.substring(name.lastIndexOf('.') + 1), Map.of())
                        .getOrDefault(place(name), Set.of())
                        .forEach(owner -> add(file.path(), owner));
            }
        }
    }

    /** Returns the last part of the package of a class; empty if the class has no package. */
    private static String place(String className) {
        int dot = className.lastIndexOf('.');
        return dot < 0 ? "" : className.substring(className.lastIndexOf('.', dot - 1) + 1, dot);
    }

    void add(String file, String owner) {
        uses.computeIfAbsent(file, key -> new HashSet<>()).add(owner);
        usedBy.computeIfAbsent(owner, key -> new HashSet<>()).add(file);
    }

    /** Returns the words in {@code known} that a text contains, including words with Unicode escapes. */
    private static Set<String> words(String text, Set<String> known) {
        Set<String> found = new HashSet<>();
        addWords(text, known, found);
        if (text.contains("\\u")) {
            addWords(unescaped(text), known, found);
        }
        return found;
    }

    /** Returns a text with its Unicode escapes replaced. */
    static String unescaped(String text) {
        return text.contains("\\u")
                ? ESCAPE.matcher(text)
                        .replaceAll(escape ->
                                Matcher.quoteReplacement(String.valueOf((char) Integer.parseInt(escape.group(1), 16))))
                : text;
    }

    private static void addWords(String text, Set<String> known, Set<String> found) {
        int begin = -1;
        for (int i = 0; i <= text.length(); i++) {
            // The text "$Name" in a Groovy string refers to Name.
            boolean inWord =
                    i < text.length() && Character.isJavaIdentifierPart(text.charAt(i)) && text.charAt(i) != '$';
            if (inWord && begin < 0) {
                begin = i;
            } else if (!inWord && begin >= 0) {
                String word = text.substring(begin, i);
                if (known.contains(word)) {
                    found.add(word);
                }
                begin = -1;
            }
        }
    }

    /**
     * Searches the text of a file for declarations of top-level classes, and returns the names of these classes without
     * their packages. The result contains wrong names if lines of comments look like declarations, and lacks names if
     * declarations are indented or contain comments or escapes.
     */
    static Set<String> declared(FilterSource file) {
        Set<String> names = new HashSet<>();
        names.add(file.baseName());
        Matcher declaration = DECLARATION.matcher(file.text());
        while (declaration.find()) {
            names.add(declaration.group(1));
        }
        return names;
    }

    /** Returns {@code files} and all files that use one of these files, directly or indirectly. */
    Set<String> dependents(Collection<String> files) {
        return reachable(files, usedBy);
    }

    /** Returns {@code files} and all files that these files use, directly or indirectly. */
    Set<String> dependencies(Collection<String> files) {
        return reachable(files, uses);
    }

    private static Set<String> reachable(Collection<String> from, Map<String, Set<String>> edges) {
        Set<String> reached = new HashSet<>(from);
        Deque<String> next = new ArrayDeque<>(from);
        while (!next.isEmpty()) {
            for (String file : edges.getOrDefault(next.remove(), Set.of())) {
                if (reached.add(file)) {
                    next.add(file);
                }
            }
        }
        return reached;
    }
}
