package dev.lychgate.filters.groovy;

import groovyjarjarasm.asm.ClassReader;
import groovyjarjarasm.asm.ClassVisitor;
import groovyjarjarasm.asm.Handle;
import groovyjarjarasm.asm.Label;
import groovyjarjarasm.asm.MethodVisitor;
import groovyjarjarasm.asm.Opcodes;
import groovyjarjarasm.asm.Type;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Refuses calls that end the JVM: {@code System.exit}, {@code Runtime.exit} and {@code Runtime.halt}. It looks at the byte
 * code, where a call is a call, however it was written and wherever it stood: behind a static import or an alias, in a
 * parameter's default value, in a trait. A call that Groovy resolves at run time, as in {@code @CompileDynamic} code, is
 * refused by its name, unless the receiver's type says that it is another's method.
 *
 * <p>What is no call in byte code is the matter of {@link ExitNames}. This keeps mistakes out, not malice: reflection,
 * {@code Eval} or a class on the class path that exits get round it, and a JVM of our day has no security manager to stop
 * them. Filter code is as trusted as the gateway itself.
 */
final class ExitCalls {
    /** Where Groovy links its dynamic calls; the name of the method is the first argument of the bootstrap method. */
    private static final String DYNAMIC = "org/codehaus/groovy/vmplugin/v8/IndyInterface";

    private final CompiledSources code;
    private final EndingMethods own;
    private final List<FilterFault> faults = new ArrayList<>();

    private ExitCalls(CompiledSources code) {
        this.code = code;
        this.own = EndingMethods.of(code.byteCode());
    }

    /** @return a fault for each of the calls */
    static List<FilterFault> of(CompiledSources code) {
        ExitCalls calls = new ExitCalls(code);
        code.byteCode().forEach((name, bytes) -> calls.look(name, new ClassReader(bytes)));
        return calls.faults;
    }

    private void look(String type, ClassReader reader) {
        reader.accept(
                new ClassVisitor(Opcodes.ASM9) {
                    @Override
                    public MethodVisitor visitMethod(
                            int access,
                            String name,
                            String descriptor,
                            @Nullable String signature,
                            String @Nullable [] exceptions) {
                        return new Calls(type);
                    }
                },
                ClassReader.SKIP_FRAMES);
    }

    private final class Calls extends MethodVisitor {
        private final String type;
        private int line;

        Calls(String type) {
            super(Opcodes.ASM9);
            this.type = type;
        }

        @Override
        public void visitLineNumber(int number, Label start) {
            line = number;
        }

        @Override
        public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean isInterface) {
            if (EndingMethods.isOne(owner, name)) {
                refuse(name, "");
            }
        }

        @Override
        public void visitInvokeDynamicInsn(String name, String descriptor, Handle linker, Object... arguments) {
            for (Object argument : arguments) {
                if (argument instanceof Handle handle && EndingMethods.isOne(handle.getOwner(), handle.getName())) {
                    refuse(handle.getName(), "");
                }
            }
            if (linker.getOwner().equals(DYNAMIC)
                    && name.equals("invoke")
                    && arguments.length > 0
                    && arguments[0] instanceof String called
                    && EndingMethods.NAMES.contains(called)) {
                Type[] given = Type.getArgumentTypes(descriptor);
                // The receiver, and the one parameter that all of them have.
                if (given.length == 2 && !own.areMeant(called, given[0].getInternalName(), type)) {
                    refuse(called, "; of a method of your own, say the type of the receiver");
                }
            }
        }

        private void refuse(String method, String advice) {
            String file = code.fileOf(type);
            faults.add(new FilterFault(
                    file == null ? CompilerFaults.SOMEWHERE : file, line, 0, ExitNames.refusal(method) + advice));
        }
    }
}
