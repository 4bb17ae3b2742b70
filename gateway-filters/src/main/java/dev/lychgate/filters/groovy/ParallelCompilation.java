package dev.lychgate.filters.groovy;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Compiles all files of a bundle in several parts in parallel. Each part includes the sources of all files that its
 * files use. The names of classes are not known in advance, so they are guessed from the texts of the files. Later, the
 * guessed names are compared with the names that the compiler has found.
 */
final class ParallelCompilation {
    /**
     * The stack size of each thread, in bytes. It equals the stack size of a build, because nested expressions are
     * compiled recursively.
     */
    private static final long STACK = 8 << 20;
    /**
     * The maximum length of the text in all parts, as a multiple of the length of the text of the bundle. The parts
     * contain more text than the bundle, because a file that several parts use is compiled several times.
     */
    private static final double MOST = 1.3;

    private final FilterBundle bundle;
    private final CompiledBundle.Compiler compiler;
    private final List<Part> parts = new ArrayList<>();

    private ParallelCompilation(FilterBundle bundle, CompiledBundle.Compiler compiler) {
        this.bundle = bundle;
        this.compiler = compiler;
    }

    /**
     * Compiles a bundle in parts.
     *
     * @param parts the number of parts
     * @return null if the bundle has to be compiled as a whole, for example because of an error
     */
    static @Nullable CompiledBundle compile(FilterBundle bundle, int parts, CompiledBundle.Compiler compiler) {
        return bundle.files().size() < parts || bundle.files().stream().anyMatch(FilterSource::isJava)
                ? null
                : new ParallelCompilation(bundle, compiler).compile(parts);
    }

    private @Nullable CompiledBundle compile(int count) {
        Map<String, Set<String>> declared = new HashMap<>();
        bundle.files().forEach(file -> declared.put(file.path(), FileReferences.declared(file)));
        for (int i = 0; i < count; i++) {
            parts.add(new Part());
        }
        FileReferences references = new FileReferences(bundle.files(), declared);
        Map<String, Integer> sizes = new HashMap<>();
        bundle.files().forEach(file -> sizes.put(file.path(), file.text().length()));
        bundle.files().stream()
                .sorted(Comparator.comparing(file -> -file.text().length()))
                .forEach(file -> parts.stream()
                        .min(Comparator.comparing(part -> part.sizeWith(file.path(), references, sizes)))
                        .ifPresent(part -> part.add(file.path(), references, sizes)));
        int once = sizes.values().stream().mapToInt(size -> size).sum();
        if (parts.stream().mapToInt(part -> part.size).sum() > MOST * once) {
            return null;
        }
        run();
        return joined();
    }

    /** Compiles one part on the thread of the build, and each other part on a separate thread. */
    private void run() {
        List<Thread> threads = new ArrayList<>();
        for (Part part : parts.subList(1, parts.size())) {
            Thread thread = new Thread(null, part, "lychgate-filter-build-" + (threads.size() + 2), STACK);
            thread.setDaemon(true);
            thread.start();
            threads.add(thread);
        }
        parts.get(0).run();
        threads.forEach(BuildThread::join);
    }

    /**
     * Returns the byte code of all parts; null if the compilation of a part failed, or a part lacked a file that its
     * files use.
     */
    private @Nullable CompiledBundle joined() {
        Map<String, CompiledFile> files = new HashMap<>();
        for (Part part : parts) {
            CompiledBundle compiled = part.compiled;
            if (compiled == null) {
                return null;
            }
            compiled.files().forEach((path, file) -> {
                if (part.files.contains(path)) {
                    files.put(path, file);
                }
            });
        }
        Map<String, Set<String>> names = new HashMap<>();
        files.forEach((path, file) -> names.put(path, file.names()));
        FileReferences references = new FileReferences(bundle.files(), names);
        return parts.stream().allMatch(part -> part.together.containsAll(references.dependencies(part.files)))
                ? new CompiledBundle(CompiledBundle.libraries(bundle), files)
                : null;
    }

    private final class Part implements Runnable {
        private final Set<String> files = new HashSet<>();
        /** The files of this part, and all files that these files use. */
        private final Set<String> together = new HashSet<>();

        private int size;
        private @Nullable CompiledBundle compiled;

        void add(String file, FileReferences references, Map<String, Integer> sizes) {
            size = sizeWith(file, references, sizes);
            files.add(file);
            together.addAll(references.dependencies(Set.of(file)));
        }

        /** Returns the length that the text of this part would have together with {@code file}, in characters. */
        int sizeWith(String file, FileReferences references, Map<String, Integer> sizes) {
            int sum = size;
            for (String each : references.dependencies(Set.of(file))) {
                sum += together.contains(each) ? 0 : sizes.getOrDefault(each, 0);
            }
            return sum;
        }

        @Override
        public void run() {
            FilterBundle part = new FilterBundle(
                    bundle.prefix(),
                    bundle.files().stream()
                            .filter(file -> together.contains(file.path()))
                            .toList(),
                    bundle.libraries());
            try {
                compiled = CompiledBundle.of(part, compiler.compile(part, Set.of()));
            } catch (FilterFaultsException | RuntimeException | Error e) {
                // After this error, the bundle is compiled as a whole. That compilation reports the error, unless the
                // cause is that the part lacked a file.
                compiled = null;
            }
        }
    }
}
