package dev.lychgate.filters.groovy;

import dev.lychgate.filters.libraries.FilterClassPath;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.codehaus.groovy.runtime.InvokerHelper;

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
    private volatile boolean released;

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
        released = true;
        defined.forEach(InvokerHelper::removeClass);
    }

    boolean isReleased() {
        return released;
    }
}
