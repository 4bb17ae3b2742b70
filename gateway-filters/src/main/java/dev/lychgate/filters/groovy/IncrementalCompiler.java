package dev.lychgate.filters.groovy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Compiles bundles, and reuses the byte code of files that have not changed since the last compilation. Thread-safe.
 */
final class IncrementalCompiler {
    private static final int MOST_PROCESSORS = 4;
    /**
     * The minimum length of the text of a bundle that is compiled in parts, in characters. A smaller bundle is compiled
     * faster as a whole.
     */
    private static final int LARGE = 1 << 16;

    /** The last result of each bundle, by its prefix. */
    private final Map<String, CompiledBundle> last = new ConcurrentHashMap<>();

    private final @Nullable CompiledCache cache;
    private boolean read;
    private boolean saved = true;
    /**
     * The number of processors that the next compilation uses. After the first compilation, it is lower, because the
     * other processors are reserved for traffic.
     */
    private volatile int processors =
            Math.min(MOST_PROCESSORS, Runtime.getRuntime().availableProcessors());

    /**
     * Creates a compiler that has not compiled any bundle.
     *
     * @param cache keeps the byte code for the next process; null if it is not kept
     */
    IncrementalCompiler(@Nullable CompiledCache cache) {
        this.cache = cache;
    }

    /**
     * Returns a new compiler that starts with the byte code of this compiler. The new compiler saves no byte code for
     * the next process, and uses one processor.
     */
    synchronized IncrementalCompiler copy() {
        IncrementalCompiler copy = new IncrementalCompiler(null);
        copy.last.putAll(last);
        copy.processors = 1;
        return copy;
    }

    /** Drops the byte code of all bundles that are not in {@code bundles}. */
    synchronized void retain(List<FilterBundle> bundles) {
        if (cache != null && !read) {
            read = true;
            last.putAll(cache.read());
        }
        last.keySet().retainAll(bundles.stream().map(FilterBundle::prefix).toList());
    }

    /** Saves the byte code, unless the file already contains it. */
    synchronized void save() {
        if (cache != null && !saved) {
            saved = true;
            cache.write(last);
        }
    }

    /**
     * Compiles a bundle, and reuses byte code of the last compilation.
     *
     * @param report receives the time of each file that is compiled, and the warnings about it
     */
    CompiledSources compile(
            FilterBundle bundle, LibraryClasses libraries, AtomicReference<String> inWork, CompileReport report)
            throws FilterFaultsException {
        if (bundle.dialect() != null) {
            // The byte code is not reused, because it depends on the classes of the dialect as well.
            return GroovyFilterCompiler.compile(bundle, libraries, inWork, Set.of(), report);
        }
        CompiledBundle before = last.get(bundle.prefix());
        boolean isReload = before != null && cache != null;
        CompiledBundle.Compiler groovy = (files, alsoKnown) -> {
            if (isReload) {
                // A start that compiles nothing omits the directives, because they load the classes of JMX.
                GroovyWithoutC2.apply();
            }
            return GroovyFilterCompiler.compile(files, libraries, inWork, alsoKnown, report);
        };
        CompiledSources compiled = before == null ? inParts(bundle, groovy) : before.update(bundle, groovy);
        if (compiled == null) {
            compiled = GroovyFilterCompiler.compile(bundle, libraries, inWork, Set.of(), report);
        } else {
            List<FilterDeclarations.Declared> filters = new ArrayList<>(compiled.filters());
            filters.addAll(libraries.filters());
            compiled = new CompiledSources(compiled.byteCode(), compiled.fileOf(), filters);
        }
        @Nullable CompiledBundle result = CompiledBundle.of(bundle, compiled);
        if (result == null) {
            last.remove(bundle.prefix());
        } else if (before == null || !result.isSameAs(before)) {
            synchronized (this) {
                last.put(bundle.prefix(), result);
                saved = false;
            }
        }
        return compiled;
    }

    /**
     * Compiles a large bundle in parts if traffic has not begun. Returns null if the bundle has to be compiled as a
     * whole.
     */
    private @Nullable CompiledSources inParts(FilterBundle bundle, CompiledBundle.Compiler groovy) {
        int parts = processors;
        int characters =
                bundle.files().stream().mapToInt(file -> file.text().length()).sum();
        if (characters < LARGE) {
            return null;
        }
        if (cache != null) {
            GroovyWithoutC2.apply();
        }
        if (parts < 2) {
            return null;
        }
        processors = 1;
        CompiledBundle all = ParallelCompilation.compile(bundle, parts, groovy);
        return all == null ? null : all.code(bundle);
    }
}
