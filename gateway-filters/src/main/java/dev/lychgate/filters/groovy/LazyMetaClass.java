package dev.lychgate.filters.groovy;

import groovy.lang.DelegatingMetaClass;
import groovy.lang.GroovySystem;
import groovy.lang.MetaClass;
import groovy.lang.MetaClassRegistry;
import groovy.lang.MutableMetaClass;
import groovyjarjarasm.asm.ClassReader;
import groovyjarjarasm.asm.ClassVisitor;
import groovyjarjarasm.asm.MethodVisitor;
import groovyjarjarasm.asm.Opcodes;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.codehaus.groovy.reflection.ClassInfo;
import org.codehaus.groovy.runtime.GeneratedClosure;
import org.codehaus.groovy.runtime.InvokerInvocationException;
import org.jspecify.annotations.Nullable;

/**
 * The metaclass of a type-checked script or of a closure in such a script. The usual metaclass, to which it forwards
 * all calls, is created for the first call. Thread-safe.
 *
 * <p>Groovy requests the metaclass of a class when it creates an object of the class, and the usual metaclass costs
 * about a millisecond. Type-checked code calls methods and closures directly, so most metaclasses are never used.
 */
final class LazyMetaClass extends DelegatingMetaClass implements InvocationHandler {
    /** The constant-pool tag of a dynamic call, see JVMS 4.4. */
    private static final int INVOKE_DYNAMIC = 18;
    /** The name of the conversions in type-checked code, which Groovy compiles to dynamic calls as well. */
    private static final String CONVERSION = "cast";

    private final Class<?> type;
    private volatile @Nullable MetaClass created;

    private LazyMetaClass(Class<?> type) {
        super((MetaClass) null);
        this.type = type;
        delegate = (MetaClass) Proxy.newProxyInstance(
                LazyMetaClass.class.getClassLoader(), new Class<?>[] {MetaClass.class, MutableMetaClass.class}, this);
    }

    /**
     * Makes a lazy metaclass the metaclass of a class, if objects of the class work without their metaclass. Must be
     * called before the class is initialized.
     *
     * @param code the byte code of the class
     */
    static void setFor(Class<?> type, byte[] code) {
        boolean isScript = FilterScript.class.isAssignableFrom(type);
        boolean isClosure = GeneratedClosure.class.isAssignableFrom(type);
        if (isScript || isClosure) {
            ClassReader reader = new ClassReader(code);
            // Groovy caches the methods of dynamic calls for its own metaclasses only.
            if (!callsDynamically(reader, code) && (isScript || isCalledDirectly(reader))) {
                // Groovy has only a soft reference to the lazy metaclass. If the JVM clears the reference, Groovy
                // creates the usual metaclass.
                ClassInfo.getClassInfo(type).setWeakMetaClass(new LazyMetaClass(type));
            }
        }
    }

    /** Returns whether a class contains dynamic calls other than conversions. */
    private static boolean callsDynamically(ClassReader reader, byte[] code) {
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

    /**
     * Returns whether a closure overrides {@code call(Object)}. Other closures, such as closures with two parameters or
     * with a parameter of a declared type, are called through their metaclass, which must not be created on an event
     * loop.
     */
    private static boolean isCalledDirectly(ClassReader reader) {
        boolean[] found = new boolean[1];
        reader.accept(
                new ClassVisitor(Opcodes.ASM9) {
                    @Override
                    public @Nullable MethodVisitor visitMethod(
                            int access, String name, String descriptor, String signature, String[] exceptions) {
                        found[0] |= name.equals("call") && descriptor.equals("(Ljava/lang/Object;)Ljava/lang/Object;");
                        return null;
                    }
                },
                ClassReader.SKIP_CODE);
        return found[0];
    }

    /** Does nothing: the usual metaclass is initialized as soon as it is created. */
    @Override
    public void initialize() {}

    @Override
    public MetaClass getAdaptee() {
        return created();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other == this;
    }

    @Override
    public int hashCode() {
        return System.identityHashCode(this);
    }

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
            Throwable cause = e.getCause();
            // A proxy cannot throw checked exceptions that the methods of metaclasses do not declare.
            throw cause instanceof RuntimeException || cause instanceof Error
                    ? cause
                    : new InvokerInvocationException(cause);
        }
    }

    private MetaClass created() {
        MetaClass known = created;
        return known != null ? known : create();
    }

    private synchronized MetaClass create() {
        MetaClass known = created;
        if (known == null) {
            MetaClassRegistry registry = GroovySystem.getMetaClassRegistry();
            known = registry.getMetaClassCreationHandler().create(type, registry);
            known.initialize();
            created = known;
            ClassInfo info = ClassInfo.getClassInfo(type);
            if (info.getWeakMetaClass() == this) {
                // Objects that are created from now on use the usual metaclass directly.
                info.setWeakMetaClass(known);
            }
        }
        return known;
    }
}
