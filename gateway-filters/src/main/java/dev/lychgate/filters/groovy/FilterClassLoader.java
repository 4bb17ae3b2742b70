package dev.lychgate.filters.groovy;

import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.codehaus.groovy.runtime.InvokerHelper;
import org.jspecify.annotations.Nullable;

/**
 * Holds the classes of one generation's filters. Not one of Groovy's own loaders: it keeps no caches, compiles nothing, and
 * goes when nobody uses its classes any more.
 */
final class FilterClassLoader extends ClassLoader {
    private final Map<String, byte[]> byteCode;
    private final Map<String, String> fileOf;
    private final Queue<Class<?>> defined = new ConcurrentLinkedQueue<>();
    private volatile boolean released;

    FilterClassLoader(CompiledSources code) {
        super("filters", FilterClassLoader.class.getClassLoader());
        this.byteCode = code.byteCode();
        this.fileOf = code.fileOf();
    }

    /** The path of the file that a class of this loader is from; null if it is from none. */
    @Nullable
    String fileOf(Class<?> type) {
        String name = type.getName();
        int nested = name.indexOf('$');
        String own = fileOf.get(name);
        return own != null || nested < 0 ? own : fileOf.get(name.substring(0, nested));
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        byte[] code = byteCode.get(name);
        if (code == null) {
            throw new ClassNotFoundException(name);
        }
        // The gateway's own domain: a thread keeps the domains of those who started it. With one made for this loader,
        // every
        // pool that grows under a filter's call would keep the loader.
        Class<?> type = defineClass(name, code, 0, code.length, FilterClassLoader.class.getProtectionDomain());
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
