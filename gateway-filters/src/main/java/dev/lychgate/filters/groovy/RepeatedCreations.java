package dev.lychgate.filters.groovy;

import dev.lychgate.filter.FilterExchange;
import java.util.List;
import java.util.Set;
import java.util.Timer;
import java.util.concurrent.ExecutorService;
import java.util.stream.Stream;
import org.codehaus.groovy.ast.ASTNode;
import org.codehaus.groovy.ast.ClassCodeVisitorSupport;
import org.codehaus.groovy.ast.ClassHelper;
import org.codehaus.groovy.ast.ClassNode;
import org.codehaus.groovy.ast.MethodNode;
import org.codehaus.groovy.ast.expr.ClassExpression;
import org.codehaus.groovy.ast.expr.ClosureExpression;
import org.codehaus.groovy.ast.expr.ConstructorCallExpression;
import org.codehaus.groovy.ast.expr.Expression;
import org.codehaus.groovy.ast.expr.MethodCallExpression;
import org.codehaus.groovy.ast.expr.StaticMethodCallExpression;
import org.codehaus.groovy.ast.expr.TupleExpression;
import org.codehaus.groovy.classgen.GeneratorContext;
import org.codehaus.groovy.control.CompilePhase;
import org.codehaus.groovy.control.SourceUnit;
import org.codehaus.groovy.control.customizers.CompilationCustomizer;
import org.jspecify.annotations.Nullable;

/**
 * Warns about filters that create a thread pool, a timer or an HTTP client for each exchange. Such objects are not
 * closed with their generation. The gateway cannot attribute their threads to a filter, because the threads do not
 * start while the filter is loaded.
 *
 * <p>Two kinds of code run for each exchange: a closure that a script passes to {@code filter}, {@code async} or {@code
 * blocking}, and a method with a parameter of type {@link FilterExchange}. Creations in other methods are not detected,
 * even if code that runs for each exchange calls these methods. Virtual threads are ignored, because a pool of them has
 * no idle threads.
 */
final class RepeatedCreations extends CompilationCustomizer {
    private static final ClassNode EXCHANGE = ClassHelper.make(FilterExchange.class);
    private static final ClassNode EXECUTOR = ClassHelper.make(ExecutorService.class);
    private static final ClassNode TIMER = ClassHelper.make(Timer.class);
    private static final Set<String> FORMS = Set.of("filter", "async", "blocking");

    RepeatedCreations() {
        super(CompilePhase.INSTRUCTION_SELECTION);
    }

    @Override
    public void call(SourceUnit source, GeneratorContext context, ClassNode type) {
        new Visitor((FilterSourceUnit) source, isScript(type)).visitClass(type);
    }

    private static boolean isScript(ClassNode type) {
        return type.isScript() || type.isDerivedFrom(ClassHelper.make(FilterScript.class));
    }

    private static final class Visitor extends ClassCodeVisitorSupport {
        private final FilterSourceUnit unit;
        private final boolean script;
        /** Whether the visited code runs for each exchange. */
        private boolean repeated;

        Visitor(FilterSourceUnit unit, boolean script) {
            this.unit = unit;
            this.script = script;
        }

        @Override
        protected SourceUnit getSourceUnit() {
            return unit;
        }

        @Override
        protected void visitConstructorOrMethod(MethodNode method, boolean isConstructor) {
            repeated = !isConstructor
                    && Stream.of(method.getParameters())
                            .anyMatch(parameter -> parameter.getType().equals(EXCHANGE));
            super.visitConstructorOrMethod(method, isConstructor);
            repeated = false;
        }

        @Override
        public void visitMethodCallExpression(MethodCallExpression call) {
            String name = String.valueOf(call.getMethodAsString());
            if (call.getObjectExpression() instanceof ClassExpression owner) {
                check(owner.getType(), name, call);
            }
            boolean before = repeated;
            repeated |= script && call.isImplicitThis() && FORMS.contains(name) && hasClosure(call.getArguments());
            super.visitMethodCallExpression(call);
            repeated = before;
        }

        private static boolean hasClosure(Expression arguments) {
            List<Expression> given =
                    arguments instanceof TupleExpression list ? list.getExpressions() : List.of(arguments);
            return given.stream().anyMatch(ClosureExpression.class::isInstance);
        }

        @Override
        public void visitStaticMethodCallExpression(StaticMethodCallExpression call) {
            check(call.getOwnerType(), call.getMethod(), call);
            super.visitStaticMethodCallExpression(call);
        }

        @Override
        public void visitConstructorCallExpression(ConstructorCallExpression call) {
            ClassNode type = call.getType();
            if (type.equals(TIMER) || type.isDerivedFrom(TIMER)) {
                warn("a timer", call);
            } else if (type.implementsInterface(EXECUTOR)) {
                warn("a thread pool", call);
            }
            super.visitConstructorCallExpression(call);
        }

        private void check(ClassNode owner, String method, ASTNode call) {
            String created = created(owner.getName(), method);
            if (created != null) {
                warn(created, call);
            }
        }

        private static @Nullable String created(String owner, String method) {
            if (owner.equals("java.util.concurrent.Executors")) {
                return method.startsWith("new") && !method.contains("PerTask") ? "a thread pool" : null;
            }
            boolean isClient = owner.equals("java.net.http.HttpClient")
                    && (method.equals("newHttpClient") || method.equals("newBuilder"));
            return isClient ? "an HTTP client" : null;
        }

        private void warn(String created, ASTNode at) {
            if (repeated) {
                unit.warn(
                        "each exchange creates " + created
                                + ", which nothing closes; create it once, while the filter is"
                                + " loaded, and register it with closeLater",
                        at);
            }
        }
    }
}
