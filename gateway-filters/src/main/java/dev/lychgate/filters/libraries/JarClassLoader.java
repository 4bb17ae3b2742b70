package dev.lychgate.filters.libraries;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLConnection;
import java.net.URLStreamHandler;
import java.util.Collections;
import java.util.Enumeration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.jar.Attributes;
import org.jspecify.annotations.Nullable;

/**
 * Defines the classes of jars. If several jars contain the same class, the class of the first jar is used. If the
 * gateway contains the class as well, the class of the jar is used, except in shared packages.
 *
 * <p>The content of the jars is in memory, so nothing has to be closed. The loader can be garbage-collected when no
 * object of its classes is left.
 */
public class JarClassLoader extends ClassLoader {
    /**
     * The shared packages: the packages of the JDK, of the gateway, and of the libraries that are part of the gateway's
     * API.
     */
    private static final List<String> SHARED = List.of(
            "java.",
            "javax.",
            "jdk.",
            "sun.",
            "com.sun.",
            "org.w3c.dom.",
            "org.xml.sax.",
            "org.ietf.jgss.",
            "dev.lychgate.",
            "io.netty.",
            "org.slf4j.",
            "org.jspecify.",
            "groovy.",
            "groovyjarjar",
            "org.codehaus.groovy.",
            "org.apache.groovy.",
            "io.reactivex.rxjava3.",
            "org.reactivestreams.",
            "com.google.re2j.");

    private static final String CLASS = ".class";

    static {
        registerAsParallelCapable();
    }

    private final Map<String, LibraryJar> jars;
    private final List<String> ofParent;
    private final Queue<Class<?>> defined = new ConcurrentLinkedQueue<>();

    /**
     * Creates a loader of the classes of jars.
     *
     * @param jars the jars by name, in the order in which they are searched for a class
     */
    public JarClassLoader(String name, Map<String, LibraryJar> jars, ClassLoader parent) {
        this(name, jars, parent, List.of());
    }

    /**
     * Creates a loader of the classes of jars. For class names with the given prefixes, the classes of the parent
     * loader take precedence over the classes of the jars.
     *
     * @param jars the jars by name, in the order in which they are searched for a class
     * @param ofParent the prefixes of class names
     */
    public JarClassLoader(String name, Map<String, LibraryJar> jars, ClassLoader parent, List<String> ofParent) {
        super(name, parent);
        this.jars = new LinkedHashMap<>(jars);
        this.ofParent = List.copyOf(ofParent);
    }

    /** Returns the classes that this loader has defined so far. Thread-safe. */
    public List<Class<?>> defined() {
        return List.copyOf(defined);
    }

    private boolean isShared(String className) {
        return shared(className) != null || ofParent.stream().anyMatch(className::startsWith);
    }

    /**
     * Returns the shared package to which a class belongs, with a dot at its end; null if jars may define the class.
     */
    static @Nullable String shared(String className) {
        return SHARED.stream().filter(className::startsWith).findFirst().orElse(null);
    }

    /** Returns the name of the jar that contains a class; null if no jar contains it. */
    public @Nullable String nameOf(String className) {
        LibraryJar holding = holding(file(className));
        for (Map.Entry<String, LibraryJar> jar : jars.entrySet()) {
            if (jar.getValue() == holding) {
                return jar.getKey();
            }
        }
        return null;
    }

    /**
     * Returns the byte code of the classes of a package, by class name. Classes that come from the gateway are not
     * included.
     */
    public Map<String, byte[]> classesIn(String packageName) {
        Map<String, byte[]> classes = new LinkedHashMap<>();
        for (LibraryJar jar : jars.values()) {
            jar.classesIn(packageName).forEach((name, code) -> {
                boolean fromGateway = isShared(name) && getParent().getResource(file(name)) != null;
                if (!fromGateway) {
                    classes.putIfAbsent(name, code);
                }
            });
        }
        return classes;
    }

    private @Nullable LibraryJar holding(String entry) {
        for (LibraryJar jar : jars.values()) {
            if (jar.entries().containsKey(entry)) {
                return jar;
            }
        }
        return null;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!isShared(name)) {
            synchronized (getClassLoadingLock(name)) {
                Class<?> loaded = findLoadedClass(name);
                if (loaded != null) {
                    return loaded;
                }
                LibraryJar jar = holding(file(name));
                if (jar != null) {
                    return define(name, jar);
                }
            }
        }
        return super.loadClass(name, resolve);
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        LibraryJar jar = holding(file(name));
        if (jar == null) {
            throw FilterClassPath.notFound(name);
        }
        return define(name, jar);
    }

    private Class<?> define(String name, LibraryJar jar) {
        int dot = name.lastIndexOf('.');
        if (dot > 0 && getDefinedPackage(name.substring(0, dot)) == null) {
            describe(name.substring(0, dot), jar);
        }
        byte[] code = jar.content(file(name));
        // Uses the protection domain of the gateway, because a thread keeps the domains of the code that started it,
        // and a domain of this loader would keep the loader in memory.
        Class<?> type = defineClass(name, code, 0, code.length, JarClassLoader.class.getProtectionDomain());
        defined.add(type);
        return type;
    }

    /** Defines the package with the versions in the manifest, because libraries look up their own version there. */
    private void describe(String packageName, LibraryJar jar) {
        try {
            definePackage(
                    packageName,
                    null,
                    null,
                    null,
                    jar.attribute(Attributes.Name.IMPLEMENTATION_TITLE),
                    jar.attribute(Attributes.Name.IMPLEMENTATION_VERSION),
                    jar.attribute(Attributes.Name.IMPLEMENTATION_VENDOR),
                    null);
        } catch (IllegalArgumentException e) {
            // Another thread has already defined the package.
        }
    }

    private static String file(String className) {
        return className.replace('.', '/') + CLASS;
    }

    @Override
    public @Nullable URL getResource(String name) {
        if (name.endsWith(CLASS) && isShared(name.replace('/', '.'))) {
            return super.getResource(name);
        }
        URL own = findResource(name);
        return own == null ? super.getResource(name) : own;
    }

    /**
     * Returns the resources of the jars. If no jar contains the resource, returns the resources of the gateway.
     * Resources of jars and of the gateway are never mixed, because their service providers would implement different
     * types.
     */
    @Override
    public Enumeration<URL> getResources(String name) throws IOException {
        return findResource(name) == null ? super.getResources(name) : findResources(name);
    }

    @Override
    protected Enumeration<URL> findResources(String name) {
        return Collections.enumeration(jars.values().stream()
                .filter(jar -> jar.entries().containsKey(name))
                .map(jar -> url(jar, name))
                .toList());
    }

    @Override
    protected @Nullable URL findResource(String name) {
        LibraryJar jar = holding(name);
        return jar == null ? null : url(jar, name);
    }

    /**
     * Returns a URL that contains the digest of the jar, because Groovy's compiler caches the members of a class by its
     * URL.
     */
    private static URL url(LibraryJar jar, String name) {
        String place = jar.digest() + "/" + jar.file().getFileName() + "!/" + name;
        try {
            return new URL(null, "lychgate-jar:" + place, new Bytes(jar.content(name)));
        } catch (MalformedURLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static final class Bytes extends URLStreamHandler {
        private final byte[] content;

        Bytes(byte[] content) {
            this.content = content;
        }

        @Override
        protected URLConnection openConnection(URL url) {
            return new URLConnection(url) {
                @Override
                public void connect() {}

                @Override
                public InputStream getInputStream() {
                    return new ByteArrayInputStream(content);
                }

                @Override
                public long getContentLengthLong() {
                    return content.length;
                }
            };
        }
    }
}
