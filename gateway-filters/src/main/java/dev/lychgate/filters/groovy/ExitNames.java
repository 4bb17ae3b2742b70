package dev.lychgate.filters.groovy;

import java.util.List;
import org.codehaus.groovy.ast.ASTNode;
import org.codehaus.groovy.ast.ClassCodeVisitorSupport;
import org.codehaus.groovy.ast.ClassHelper;
import org.codehaus.groovy.ast.ClassNode;
import org.codehaus.groovy.ast.MethodNode;
import org.codehaus.groovy.ast.Parameter;
import org.codehaus.groovy.ast.expr.ClassExpression;
import org.codehaus.groovy.ast.expr.ConstantExpression;
import org.codehaus.groovy.ast.expr.Expression;
import org.codehaus.groovy.ast.expr.MethodCallExpression;
import org.codehaus.groovy.ast.expr.MethodPointerExpression;
import org.codehaus.groovy.ast.expr.PropertyExpression;
import org.codehaus.groovy.ast.expr.StaticMethodCallExpression;
import org.codehaus.groovy.ast.expr.TupleExpression;
import org.codehaus.groovy.classgen.GeneratorContext;
import org.codehaus.groovy.control.CompilePhase;
import org.codehaus.groovy.control.SourceUnit;
import org.codehaus.groovy.control.customizers.CompilationCustomizer;
import org.codehaus.groovy.syntax.SyntaxException;
import org.codehaus.groovy.transform.stc.StaticTypesMarker;
import org.jspecify.annotations.Nullable;

/**
 * Refuses what ends the JVM and is no call of it in byte code, where {@link ExitCalls} would see it: {@code System.&exit},
 * {@code [System]*.exit(1)}, {@code System.invokeMethod('exit', 1)}, and methods of {@code System} or {@code Runtime} that
 * are chosen at run time. When types have been inferred, so that a filter's own methods of these names are known for such.
 */
final class ExitNames extends CompilationCustomizer {
    ExitNames() {
        super(CompilePhase.INSTRUCTION_SELECTION);
    }

    /** What is said to whoever has written {@code method}. */
    static String refusal(String method) {
        return "filters and their tests must not end the JVM, as " + method + " of System or Runtime would";
    }

    @Override
    public void call(SourceUnit source, GeneratorContext context, ClassNode type) {
        new Visitor(source).visitClass(type);
    }

    private static final class Visitor extends ClassCodeVisitorSupport {
        private final SourceUnit unit;

        Visitor(SourceUnit unit) {
            this.unit = unit;
        }

        @Override
        protected SourceUnit getSourceUnit() {
            return unit;
        }

        @Override
        protected void visitConstructorOrMethod(MethodNode method, boolean isConstructor) {
            for (Parameter parameter : method.getParameters()) {
                if (parameter.hasInitialExpression()) {
                    parameter.getInitialExpression().visit(this);
                }
            }
            super.visitConstructorOrMethod(method, isConstructor);
        }

        @Override
        public void visitMethodCallExpression(MethodCallExpression call) {
            String name = call.getMethodAsString();
            Expression receiver = call.getObjectExpression();
            if (name == null) {
                if (isOwner(receiver)) {
                    refuse("a method chosen at run time", call);
                }
            } else if (EndingMethods.NAMES.contains(name)) {
                if (call.isSpreadSafe() && call.getMethodTarget() == null) {
                    refuse(name, call);
                }
            } else if (looksUpMethods(name) && !typeOf(receiver).isPrimaryClassNode()) {
                lookUp(receiver, call.getArguments(), call);
            }
            super.visitMethodCallExpression(call);
        }

        @Override
        public void visitStaticMethodCallExpression(StaticMethodCallExpression call) {
            if (looksUpMethods(call.getMethod()) && !call.getOwnerType().isPrimaryClassNode()) {
                lookUp(null, call.getArguments(), call);
            }
            super.visitStaticMethodCallExpression(call);
        }

        @Override
        public void visitMethodPointerExpression(MethodPointerExpression pointer) {
            Expression receiver = pointer.getExpression();
            String name = pointer.getMethodName() instanceof ConstantExpression constant ? constant.getText() : null;
            if (name == null) {
                if (isOwner(receiver)) {
                    refuse("a method chosen at run time", pointer);
                }
            } else if (EndingMethods.NAMES.contains(name) && mayBeOwner(receiver)) {
                refuse(name, pointer);
            }
            super.visitMethodPointerExpression(pointer);
        }

        private void lookUp(@Nullable Expression receiver, Expression arguments, ASTNode call) {
            List<Expression> given =
                    arguments instanceof TupleExpression list ? list.getExpressions() : List.of(arguments);
            for (Expression argument : given) {
                if (argument instanceof ConstantExpression constant
                        && constant.getValue() instanceof String name
                        && EndingMethods.NAMES.contains(name)) {
                    refuse(name, call);
                    return;
                }
            }
            boolean named = !given.isEmpty() && given.get(0) instanceof ConstantExpression;
            if (receiver != null && isOwner(receiver) && !named) {
                refuse("a method chosen at run time", call);
            }
        }

        private void refuse(String what, ASTNode at) {
            unit.getErrorCollector().addErrorAndContinue(new SyntaxException(refusal(what), at), unit);
        }
    }

    /** {@code invokeMethod}, {@code getDeclaredMethod}, {@code getMetaMethod} and their like; {@code findStatic} of method handles. */
    private static boolean looksUpMethods(String name) {
        return name.contains("Method") || name.equals("findStatic") || name.equals("findVirtual");
    }

    /** Whether it is known to be {@code System} or {@code Runtime}: the class, or the one object. */
    private static boolean isOwner(Expression receiver) {
        if (receiver instanceof PropertyExpression property && isOwner(property.getObjectExpression())) {
            // System.class, Runtime.runtime, System.metaClass.
            return List.of("class", "runtime", "metaClass").contains(String.valueOf(property.getPropertyAsString()));
        }
        if (receiver instanceof MethodCallExpression call && isOwner(call.getObjectExpression())) {
            return "getRuntime".equals(call.getMethodAsString());
        }
        return receiver instanceof ClassExpression
                ? EndingMethods.OWNERS.contains(receiver.getType().getName())
                : EndingMethods.OWNERS.contains(typeOf(receiver).getName());
    }

    private static boolean mayBeOwner(Expression receiver) {
        if (isOwner(receiver)) {
            return true;
        }
        ClassNode type = typeOf(receiver);
        return !(receiver instanceof ClassExpression)
                && (ClassHelper.isObjectType(type) || ClassHelper.isClassType(type));
    }

    /** As the type checker has inferred it; in code that is not checked, as it was written down. */
    private static ClassNode typeOf(Expression expression) {
        return expression.getNodeMetaData(StaticTypesMarker.INFERRED_TYPE) instanceof ClassNode inferred
                ? inferred
                : expression.getType();
    }
}
