package dev.lychgate.filters.groovy;

import groovy.lang.DelegatingMetaClass;
import groovy.lang.GroovySystem;
import groovy.lang.MetaClass;
import groovy.lang.MetaClassRegistry;
import groovy.lang.MetaClassRegistry.MetaClassCreationHandle;
import groovy.lang.MutableMetaClass;
import groovyjarjarasm.asm.ClassReader;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.function.Supplier;
import org.codehaus.groovy.runtime.GeneratedClosure;
import org.jspecify.annotations.Nullable;

/**
 * Postpones the creation of the metaclasses of scripts and their closures until code uses them. Groovy requests the
 * metaclass of a class when it creates an object of the class, and a metaclass costs about a millisecond. Type-checked
 * code calls methods directly, so it needs no metaclass of its scripts and closures. Of classes with dynamic calls, the
 * metaclasses are created at once, because Groovy caches methods for its own types of metaclasses only.
 */
final class LazyMetaClasses extends MetaClassCreationHandle {
    /** The constant-pool tag of a dynamic call, see JVMS 4.4. */
    private static final int INVOKE_DYNAMIC = 18;
    /** The name of the conversions in type-checked code, which Groovy compiles to dynamic calls as well. */
    private static final String CONVERSION = "cast";

    private final MetaClassCreationHandle usual;

    private LazyMetaClasses(MetaClassCreationHandle usual) {
        this.usual = usual;
        super.setDisableCustomMetaClassLookup(true);
    }

    /**
     * Installs the postponement in Groovy's registry. It affects the classes of filters only. Does nothing if a program
     * that embeds the gateway has changed the creation of metaclasses, for example by {@code
     * ExpandoMetaClass.enableGlobally()}.
     */
    static void install() {
        MetaClassRegistry registry = GroovySystem.getMetaClassRegistry();
        synchronized (LazyMetaClasses.class) {
            MetaClassCreationHandle usual = registry.getMetaClassCreationHandler();
            if (usual.getClass() == MetaClassCreationHandle.class) {
                registry.setMetaClassCreationHandle(new LazyMetaClasses(usual));
            }
        }
    }

    /** Returns whether Groovy searches no custom metaclasses for classes other than those of filters. */
    @Override
    public boolean isDisableCustomMetaClassLookup() {
        return usual.isDisableCustomMetaClassLookup();
    }

    @Override
    public void setDisableCustomMetaClassLookup(boolean disabled) {
        usual.setDisableCustomMetaClassLookup(disabled);
    }

    /** Called for each class: this object has no custom metaclasses, because the search for one takes long. */
    @Override
    protected MetaClass createNormalMetaClass(@SuppressWarnings("rawtypes") Class type, MetaClassRegistry registry) {
        if (!(((Class<?>) type).getClassLoader() instanceof GroupClassLoader loader)) {
            return usual.create(type, registry);
        }
        return isOfTypeCheckedScript(type, loader)
                ? new Lazy(() -> super.createNormalMetaClass(type, registry))
                : super.createNormalMetaClass(type, registry);
    }

    private static boolean isOfTypeCheckedScript(Class<?> type, GroupClassLoader loader) {
        return (FilterScript.class.isAssignableFrom(type) || GeneratedClosure.class.isAssignableFrom(type))
                && !callsDynamically(loader.code().byteCode().get(type.getName()));
    }

    /** Returns whether a class contains dynamic calls other than conversions; also true if its code is unknown. */
    static boolean callsDynamically(byte @Nullable [] code) {
        if (code == null) {
            return true;
        }
        ClassReader reader = new ClassReader(code);
        char[] buffer = new char[reader.getMaxStringLength()];
        for (int i = 1; i < reader.getItemCount(); i++) {
            int constant = reader.getItem(i);
            if (constant > 0 && code[constant - 1] == INVOKE_DYNAMIC) {
                int nameAndType = reader.getItem(reader.readUnsignedShort(constant + 2));
                if (!CONVERSION.equals(reader.readUTF8(nameAndType, buffer))) {
                    return true;
                }
            }
        }
        return false;
    }

    /** A metaclass that is created for the first call of one of its methods. Thread-safe. */
    static final class Lazy extends DelegatingMetaClass implements InvocationHandler {
        private final Supplier<MetaClass> usual;
        private volatile @Nullable MetaClass created;

        private Lazy(Supplier<MetaClass> usual) {
            super((MetaClass) null);
            this.usual = usual;
            delegate = (MetaClass) Proxy.newProxyInstance(
                    Lazy.class.getClassLoader(), new Class<?>[] {MetaClass.class, MutableMetaClass.class}, this);
        }

        /** Does nothing: Groovy initializes each metaclass as soon as it is created. */
        @Override
        public void initialize() {}

        /** Returns whether a method has been called. */
        boolean isCreated() {
            return created != null;
        }

        /** Forwards a call that has reached the proxy. */
        @Override
        public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
            try {
                return method.invoke(created(), arguments);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        }

        private synchronized MetaClass created() {
            MetaClass known = created;
            if (known == null) {
                known = usual.get();
                known.initialize();
                created = known;
                // Another thread may still see the proxy.
                delegate = known;
            }
            return known;
        }
    }
}
