package dev.lychgate.filters.groovy;

import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Holds the classes of one generation's filters. Not one of Groovy's own loaders: it keeps no caches, compiles nothing, and
 * goes when nobody uses its classes any more.
 */
final class FilterClassLoader extends ClassLoader {
    private final Map<String, byte[]> byteCode;
    private final Queue<Class<?>> defined = new ConcurrentLinkedQueue<>();

    FilterClassLoader(Map<String, byte[]> byteCode) {
        super("filters", FilterClassLoader.class.getClassLoader());
        this.byteCode = byteCode;
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        byte[] code = byteCode.get(name);
        if (code == null) {
            throw new ClassNotFoundException(name);
        }
        Class<?> type = defineClass(name, code, 0, code.length);
        defined.add(type);
        return type;
    }

    /** The classes that have been in use. */
    Iterable<Class<?>> defined() {
        return defined;
    }
}
