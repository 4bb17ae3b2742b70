package dev.lychgate.filters.groovy;

import groovyjarjarasm.asm.ClassReader;
import groovyjarjarasm.asm.ClassVisitor;
import groovyjarjarasm.asm.MethodVisitor;
import groovyjarjarasm.asm.Opcodes;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The methods that end the JVM, and those of filters' own that have the same names. */
final class EndingMethods {
    static final Set<String> NAMES = Set.of("exit", "halt");
    static final Set<String> OWNERS = Set.of("java.lang.System", "java.lang.Runtime");

    private final Map<String, Declared> types = new HashMap<>();

    private record Declared(String parent, Set<String> methods) {}

    private EndingMethods() {}

    /** Finds filters' own. @param byteCode of all classes of a generation, by name */
    static EndingMethods of(Map<String, byte[]> byteCode) {
        EndingMethods own = new EndingMethods();
        byteCode.values().forEach(bytes -> own.add(new ClassReader(bytes)));
        return own;
    }

    /** @param owner a class's name, with slashes */
    static boolean isOne(String owner, String method) {
        return NAMES.contains(method) && OWNERS.contains(owner.replace('/', '.'));
    }

    private void add(ClassReader reader) {
        Set<String> methods = new HashSet<>();
        reader.accept(
                new ClassVisitor(Opcodes.ASM9) {
                    @Override
                    public @Nullable MethodVisitor visitMethod(
                            int access,
                            String name,
                            String descriptor,
                            @Nullable String signature,
                            String @Nullable [] exceptions) {
                        if (NAMES.contains(name)) {
                            methods.add(name);
                        }
                        return null;
                    }
                },
                ClassReader.SKIP_CODE);
        String parent = reader.getSuperName();
        types.put(reader.getClassName(), new Declared(parent == null ? "" : parent, methods));
    }

    /**
     * Whether a call that is resolved at run time is meant for others than {@code System} and {@code Runtime}.
     *
     * @param receiver the type that the compiler knows of the receiver, with slashes
     * @param caller the name of the class that calls
     */
    boolean areMeant(String method, String receiver, String caller) {
        return switch (receiver) {
            case "java/lang/Object" -> false;
            // A class that calls its own static method is no more than a class in byte code.
            case "java/lang/Class" -> isDeclaredAround(caller.replace('.', '/'), method);
            default ->
                types.containsKey(receiver)
                        ? isDeclaredAround(receiver, method)
                        : !OWNERS.contains(receiver.replace('/', '.'));
        };
    }

    /** By the class, one that it extends, or one that it is nested in, as a closure is in the class that it asks. */
    private boolean isDeclaredAround(String type, String method) {
        for (String around = type; !around.isEmpty(); around = outer(around)) {
            for (Declared one = types.get(around); one != null; one = types.get(one.parent())) {
                if (one.methods().contains(method)) {
                    return true;
                }
            }
        }
        return false;
    }

    private static String outer(String type) {
        int nested = type.lastIndexOf('$');
        return nested < 0 ? "" : type.substring(0, nested);
    }
}
