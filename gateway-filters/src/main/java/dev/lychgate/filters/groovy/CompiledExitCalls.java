package dev.lychgate.filters.groovy;

import groovyjarjarasm.asm.ClassReader;
import groovyjarjarasm.asm.ClassVisitor;
import groovyjarjarasm.asm.Handle;
import groovyjarjarasm.asm.Label;
import groovyjarjarasm.asm.MethodVisitor;
import groovyjarjarasm.asm.Opcodes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Finds calls in byte code that end the JVM: the calls that {@link ExitCalls} rejects in source code. Detects calls and
 * method references, but not reflection.
 */
final class CompiledExitCalls extends ClassVisitor {
    private static final Set<String> OWNERS = Set.of("java/lang/System", "java/lang/Runtime");

    private final List<Call> found = new ArrayList<>();

    /**
     * One call that ends the JVM.
     *
     * @param line the line of the call; 0 if the code has no line numbers
     */
    record Call(String method, int line) {
        String message() {
            return ExitCalls.message(method);
        }

        String place() {
            return line == 0 ? "" : ", line " + line;
        }
    }

    private CompiledExitCalls() {
        super(Opcodes.ASM9);
    }

    /**
     * Returns the rejected calls in a class. Returns an empty list if the class cannot be read, because the JVM refuses
     * to load such a class.
     */
    static List<Call> in(byte[] code) {
        CompiledExitCalls calls = new CompiledExitCalls();
        try {
            new ClassReader(code).accept(calls, ClassReader.SKIP_FRAMES);
        } catch (RuntimeException e) {
            // The class is malformed, or was compiled for a JDK that the class reader does not support yet.
        }
        return calls.found;
    }

    @Override
    public MethodVisitor visitMethod(
            int access, String name, String descriptor, String signature, String[] exceptions) {
        return new MethodVisitor(Opcodes.ASM9) {
            private int line;

            @Override
            public void visitLineNumber(int number, Label start) {
                line = number;
            }

            @Override
            public void visitMethodInsn(int opcode, String owner, String method, String type, boolean isInterface) {
                if (OWNERS.contains(owner) && ExitCalls.NAMES.contains(method)) {
                    found.add(new Call(method, line));
                }
            }

            @Override
            public void visitInvokeDynamicInsn(String method, String type, Handle factory, Object... arguments) {
                for (Object argument : arguments) {
                    if (argument instanceof Handle handle) {
                        visitMethodInsn(0, handle.getOwner(), handle.getName(), handle.getDesc(), false);
                    }
                }
            }
        };
    }
}
