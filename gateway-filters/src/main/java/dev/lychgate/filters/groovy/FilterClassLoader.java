package dev.lychgate.filters.groovy;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.codehaus.groovy.runtime.InvokerHelper;
import org.jspecify.annotations.Nullable;

/**
 * Holds the classes of one generation's filters. Not one of Groovy's own loaders: it keeps no caches, compiles nothing, and
 * goes when nobody uses its classes any more.
 */
final class FilterClassLoader extends ClassLoader {
    private final CompiledSources code;
    private final Queue<Class<?>> defined = new ConcurrentLinkedQueue<>();
    private volatile boolean released;

    FilterClassLoader(CompiledSources code) {
        super("filters", FilterClassLoader.class.getClassLoader());
        this.code = code;
    }

    @Nullable
    String fileOf(Class<?> type) {
        return code.fileOf(type.getName());
    }

    CompiledSources code() {
        return code;
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        byte[] bytes = code.byteCode().get(name);
        if (bytes == null) {
            throw new ClassNotFoundException(name);
        }
        // The gateway's own domain: a thread keeps the domains of those who started it. With one made for this loader,
        // every
        // pool that grows under a filter's call would keep the loader.
        Class<?> type = defineClass(name, bytes, 0, bytes.length, FilterClassLoader.class.getProtectionDomain());
        defined.add(type);
        return type;
    }

    /**
     * Lets go of what Groovy's runtime and the JDK's bean introspection keep about the classes: by soft references, which
     * would hold them for hours where memory is plenty. What still uses the classes may go on, but may bring that back; it
     * is let go of by the next call.
     */
    void release() {
        released = true;
        defined.forEach(InvokerHelper::removeClass);
    }

    boolean isReleased() {
        return released;
    }
}
