package dev.lychgate.zuul;

import dev.lychgate.extension.FilterDialect;
import groovyjarjarasm.asm.ClassReader;
import groovyjarjarasm.asm.ClassVisitor;
import groovyjarjarasm.asm.Handle;
import groovyjarjarasm.asm.Label;
import groovyjarjarasm.asm.MethodVisitor;
import groovyjarjarasm.asm.Opcodes;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds the members that a filter calls. Inspects the class of the filter, the base classes that come from files, and
 * the nested classes of all these classes. In dynamic Groovy, the name of a called member is an argument of the call
 * site.
 */
final class CodeInspection extends ClassVisitor {
    private static final Set<String> WHOLE_REQUEST = Set.of("getInputStream", "getReader", "getContentData");
    private static final Set<String> FORM_FIELDS = Set.of(
            "getParameter",
            "getParameterMap",
            "getParameterValues",
            "getParameterNames",
            "getParameters",
            "getFormValue",
            "getValueFromRequestElements");
    private static final Set<String> MESSAGE =
            Set.of("getBody", "getBodyAsText", "getBodyLength", "getBodyContents", "bufferBody");
    private static final Set<String> RESPONSE = Set.of("getResponseDataStream", "getResponseBody");
    /**
     * The key under which filters store the request body in the context: the text of the key, and the name of the
     * constant with this text.
     */
    private static final Set<Object> ENTITY = Set.of("requestEntity", "REQUEST_ENTITY_KEY");

    private static final String CONTAINER = " needs a servlet container, but the gateway has none; ";
    private static final String RIBBON =
            " needs Ribbon, but the gateway itself sends the request to the origin; read the response with"
                    + " getResponseDataStream in a post filter";
    private static final Map<String, String> REFUSED = Map.of(
            "getSession", CONTAINER + "keep the state in a header, a cookie or a store",
            "startAsync", CONTAINER + "return from run(); the gateway does not hold a thread for the response",
            "getRequestDispatcher", CONTAINER + "use a route of the gateway",
            "getParts", CONTAINER + "read the body, or use eachPart in a filter of the gateway",
            "getZuulResponse", RIBBON,
            "setZuulResponse", RIBBON);

    private final Set<String> visited = new HashSet<>();
    private final Set<String> called = new HashSet<>();
    private FilterDialect.@Nullable Refusal refusal;

    private CodeInspection() {
        super(Opcodes.ASM9);
    }

    /**
     * Inspects the code of a filter.
     *
     * @throws FilterDialect.Refusal if the code calls a method that the gateway does not have
     */
    static BodyReads of(FilterDialect.Code code) throws FilterDialect.Refusal {
        CodeInspection inspection = new CodeInspection();
        for (Class<?> type = code.type(); type != null; type = type.getSuperclass()) {
            inspection.read(code, type.getName());
        }
        if (inspection.refusal != null) {
            throw inspection.refusal;
        }
        boolean whole = inspection.calls(WHOLE_REQUEST);
        boolean fields = inspection.calls(FORM_FIELDS);
        return new BodyReads(whole || fields, !whole, inspection.calls(RESPONSE), inspection.calls(MESSAGE));
    }

    private boolean calls(Set<String> names) {
        return names.stream().anyMatch(called::contains);
    }

    private void read(FilterDialect.Code code, String className) {
        byte[] bytes = code.byteCode().apply(className);
        if (bytes == null || !visited.add(className)) {
            return;
        }
        Set<String> nested = new HashSet<>();
        new ClassReader(bytes)
                .accept(
                        new ClassVisitor(Opcodes.ASM9, this) {
                            @Override
                            public void visitInnerClass(
                                    String name, @Nullable String outer, @Nullable String inner, int access) {
                                nested.add(name.replace('/', '.'));
                            }
                        },
                        ClassReader.SKIP_FRAMES);
        nested.stream().filter(name -> name.startsWith(className + "$")).forEach(name -> read(code, name));
    }

    @Override
    public MethodVisitor visitMethod(
            int access, String name, String descriptor, @Nullable String signature, String @Nullable [] exceptions) {
        return new Calls();
    }

    /** Records the calls of a method. */
    private final class Calls extends MethodVisitor {
        private int line;

        Calls() {
            super(Opcodes.ASM9);
        }

        @Override
        public void visitLineNumber(int number, Label start) {
            line = number;
        }

        @Override
        public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean isInterface) {
            call(name);
        }

        @Override
        public void visitInvokeDynamicInsn(String site, String descriptor, Handle bootstrap, Object... arguments) {
            if (arguments.length > 0 && arguments[0] instanceof String name) {
                constant(name);
                call(site.equals("getProperty") ? getter(name) : name);
            }
        }

        private String getter(String property) {
            return property.isEmpty()
                    ? property
                    : "get" + property.substring(0, 1).toUpperCase(Locale.ROOT) + property.substring(1);
        }

        @Override
        public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
            constant(name);
        }

        @Override
        public void visitLdcInsn(Object value) {
            constant(value);
        }

        /**
         * Records a use of the key under which filters of Spring and of Netflix store the request body in the context.
         */
        private void constant(Object value) {
            if (ENTITY.contains(value)) {
                called.add("getInputStream");
            }
        }

        private void call(String name) {
            called.add(name);
            String reason = REFUSED.get(name);
            if (reason != null && refusal == null) {
                refusal = new FilterDialect.Refusal(line, name + reason);
            }
        }
    }
}
