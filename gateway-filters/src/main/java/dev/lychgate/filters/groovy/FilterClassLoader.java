package dev.lychgate.filters.groovy;

import dev.lychgate.filters.libraries.FilterClassPath;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.ref.WeakReference;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.codehaus.groovy.runtime.InvokerHelper;
import org.jspecify.annotations.Nullable;

/**
 * Defines the classes of one generation of filters. Unlike the loaders of Groovy, it has no caches and compiles nothing, and
 * it can be collected once its classes are unused.
 */
final class FilterClassLoader extends ClassLoader {
    private final String bundle;
    private final CompiledSources code;
    /** Kept, so that the next generation with the same jars finds them. */
    private final LibraryClasses libraries;

    private final Queue<Class<?>> defined = new ConcurrentLinkedQueue<>();
    /** The group of threads that the filters start while they are built. */
    private final ThreadGroup group = Thread.currentThread().getThreadGroup();

    private volatile boolean released;
    private volatile @Nullable WeakReference<ClassLoader> witness;

    /** @param bundle the prefix of the paths of its files */
    FilterClassLoader(String bundle, CompiledSources code, LibraryClasses libraries) {
        super("filters", libraries.loader());
        this.bundle = bundle;
        this.code = code;
        this.libraries = libraries;
    }

    String bundle() {
        return bundle;
    }

    LibraryClasses libraries() {
        return libraries;
    }

    CompiledSources code() {
        return code;
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        byte[] bytes = code.byteCode().get(name);
        if (bytes == null) {
            throw FilterClassPath.notFound(name);
        }
        // Uses the gateway's domain, because a thread retains the domains of the code that started it. With a domain of
        // this loader, every thread pool that grows during a call of a filter would retain the loader.
        Class<?> type = defineClass(name, bytes, 0, bytes.length, FilterClassLoader.class.getProtectionDomain());
        defined.add(type);
        return type;
    }

    /**
     * Releases the data that Groovy's runtime and the JDK's bean introspection keep about the classes. Both use soft
     * references, which would retain the classes for hours if memory is plentiful. Code that still runs may restore the
     * data; the next call releases it again.
     */
    void release() {
        if (!released) {
            released = true;
            witness = new WeakReference<>(new Witness());
        }
        defined.forEach(InvokerHelper::removeClass);
    }

    boolean isReleased() {
        return released;
    }

    /** Returns whether classes have been unloaded since the release, and classes of this loader have not. */
    boolean isRetained() {
        WeakReference<ClassLoader> since = witness;
        return since != null && since.get() == null;
    }

    /** Returns whether a thread keeps the classes in memory, or was started when they were built. */
    boolean isOf(Thread thread, StackTraceElement[] stack) {
        if (thread.getClass().getClassLoader() == this || thread.getContextClassLoader() == this) {
            return true;
        }
        if (thread.getThreadGroup() == group && group.getName().equals(BuildThread.GROUP)) {
            return true;
        }
        for (StackTraceElement frame : stack) {
            if (code.byteCode().containsKey(frame.getClassName())) {
                return true;
            }
        }
        return false;
    }

    /** A loader that nothing refers to: collected as soon as classes are unloaded. */
    private static final class Witness extends ClassLoader {
        /** The class of the loader: a loader without classes may be collected earlier. */
        private interface Loaded {}

        Witness() {
            super("witness", null);
            try (InputStream code = Witness.class.getResourceAsStream("FilterClassLoader$Witness$Loaded.class")) {
                byte[] bytes = Objects.requireNonNull(code).readAllBytes();
                defineClass(Loaded.class.getName(), bytes, 0, bytes.length);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
