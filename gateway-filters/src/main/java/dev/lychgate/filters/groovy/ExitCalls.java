package dev.lychgate.filters.groovy;

import java.util.List;
import java.util.Set;
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
import org.codehaus.groovy.ast.expr.SpreadExpression;
import org.codehaus.groovy.ast.expr.StaticMethodCallExpression;
import org.codehaus.groovy.ast.expr.TupleExpression;
import org.codehaus.groovy.ast.expr.VariableExpression;
import org.codehaus.groovy.classgen.GeneratorContext;
import org.codehaus.groovy.control.CompilePhase;
import org.codehaus.groovy.control.SourceUnit;
import org.codehaus.groovy.control.customizers.CompilationCustomizer;
import org.codehaus.groovy.syntax.SyntaxException;
import org.codehaus.groovy.transform.stc.StaticTypesMarker;
import org.jspecify.annotations.Nullable;

/**
 * Rejects code that ends the JVM by {@code System.exit}, {@code Runtime.exit} or {@code Runtime.halt}: calls of these
 * methods, method pointers to them, and lookups of them by name. The check runs after the type checker. If the type
 * checker has resolved a call, the resolved method decides. In code with the annotation {@code CompileDynamic}, the
 * name of the method decides, unless the receiver is known to have another type.
 *
 * <p>This check prevents mistakes, not attacks. For example, it does not detect code in {@code Eval}, or a class on the
 * class path that ends the JVM. Filter code is as trusted as the gateway itself.
 */
public final class ExitCalls extends CompilationCustomizer {
    static final Set<String> NAMES = Set.of("exit", "halt");
    private static final Set<String> OWNERS = Set.of("java.lang.System", "java.lang.Runtime");
    private static final String AT_RUN_TIME = "a method chosen at run time";

    public ExitCalls() {
        super(CompilePhase.INSTRUCTION_SELECTION);
    }

    @Override
    public void call(SourceUnit source, GeneratorContext context, ClassNode type) {
        new Visitor(source, type).visitClass(type);
    }

    private static final class Visitor extends ClassCodeVisitorSupport {
        private final SourceUnit unit;
        private final ClassNode type;

        Visitor(SourceUnit unit, ClassNode type) {
            this.unit = unit;
            this.type = type;
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
                    refuse(AT_RUN_TIME, call);
                }
            } else if (NAMES.contains(name)) {
                if (ends(call, receiver)) {
                    refuse(name, call);
                }
            } else if (looksUpMethods(name) && !typeOf(receiver).isPrimaryClassNode()) {
                lookUp(receiver, call.getArguments(), call);
            }
            super.visitMethodCallExpression(call);
        }

        private boolean ends(MethodCallExpression call, Expression receiver) {
            MethodNode target = OutcomeCalls.target(call);
            target = target == null ? call.getMethodTarget() : target;
            if (target != null) {
                return OWNERS.contains(target.getDeclaringClass().getName());
            }
            List<Expression> given = arguments(call.getArguments());
            if (given.size() != 1 && given.stream().noneMatch(SpreadExpression.class::isInstance)) {
                return false;
            }
            boolean ofThis = call.isImplicitThis()
                    || (receiver instanceof VariableExpression variable && variable.isThisExpression());
            return call.isSpreadSafe() || (ofThis ? !isDeclaredAround(type) : mayBeOwner(receiver));
        }

        @Override
        public void visitStaticMethodCallExpression(StaticMethodCallExpression call) {
            ClassNode owner = call.getOwnerType();
            if (NAMES.contains(call.getMethod()) && OWNERS.contains(owner.getName())) {
                refuse(call.getMethod(), call);
            } else if (looksUpMethods(call.getMethod()) && !owner.isPrimaryClassNode()) {
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
                    refuse(AT_RUN_TIME, pointer);
                }
            } else if (NAMES.contains(name) && mayBeOwner(receiver)) {
                refuse(name, pointer);
            }
            super.visitMethodPointerExpression(pointer);
        }

        private void lookUp(@Nullable Expression receiver, Expression arguments, ASTNode call) {
            List<Expression> given = arguments(arguments);
            for (Expression argument : given) {
                if (argument instanceof ConstantExpression constant
                        && constant.getValue() instanceof String name
                        && NAMES.contains(name)) {
                    refuse(name, call);
                    return;
                }
            }
            boolean named = !given.isEmpty() && given.get(0) instanceof ConstantExpression;
            if (receiver != null && isOwner(receiver) && !named) {
                refuse(AT_RUN_TIME, call);
            }
        }

        private void refuse(String what, ASTNode at) {
            unit.getErrorCollector().addErrorAndContinue(new SyntaxException(message(what), at), unit);
        }
    }

    static String message(String what) {
        return "filters and their tests must not end the JVM, as " + what + " of System or Runtime would";
    }

    private static List<Expression> arguments(Expression arguments) {
        return arguments instanceof TupleExpression list ? list.getExpressions() : List.of(arguments);
    }

    /**
     * Returns whether a class, one of its superclasses or one of its enclosing classes declares a method with a name in
     * {@link #NAMES}.
     */
    private static boolean isDeclaredAround(ClassNode type) {
        for (ClassNode around = type; around != null; around = around.getOuterClass()) {
            for (String name : NAMES) {
                if (!around.getMethods(name).isEmpty()) {
                    return true;
                }
            }
        }
        return false;
    }

    /**
     * Returns whether a method with this name looks up methods by their names, such as {@code invokeMethod},
     * {@code getDeclaredMethod} and {@code findStatic}.
     */
    private static boolean looksUpMethods(String name) {
        return name.contains("Method") || name.equals("findStatic") || name.equals("findVirtual");
    }

    /**
     * Returns whether {@code receiver} is known to be the class {@code System}, the class {@code Runtime}, or the
     * instance of {@code Runtime}.
     */
    private static boolean isOwner(Expression receiver) {
        if (receiver instanceof PropertyExpression property && isOwner(property.getObjectExpression())) {
            // System.class, Runtime.runtime, System.metaClass.
            return List.of("class", "runtime", "metaClass").contains(String.valueOf(property.getPropertyAsString()));
        }
        if (receiver instanceof MethodCallExpression call && isOwner(call.getObjectExpression())) {
            return "getRuntime".equals(call.getMethodAsString());
        }
        return OWNERS.contains(
                receiver instanceof ClassExpression
                        ? receiver.getType().getName()
                        : typeOf(receiver).getName());
    }

    private static boolean mayBeOwner(Expression receiver) {
        ClassNode type = typeOf(receiver);
        return isOwner(receiver)
                || (!(receiver instanceof ClassExpression)
                        && (ClassHelper.isObjectType(type) || ClassHelper.isClassType(type)));
    }

    /** Returns the type that the type checker has inferred for an expression; in unchecked code, the declared type. */
    private static ClassNode typeOf(Expression expression) {
        return expression.getNodeMetaData(StaticTypesMarker.INFERRED_TYPE) instanceof ClassNode inferred
                ? inferred
                : expression.getType();
    }
}
