package dev.lychgate.filters.groovy;

import java.util.Set;
import org.codehaus.groovy.ast.ASTNode;
import org.codehaus.groovy.ast.ClassCodeVisitorSupport;
import org.codehaus.groovy.ast.ClassHelper;
import org.codehaus.groovy.ast.ClassNode;
import org.codehaus.groovy.ast.expr.ArgumentListExpression;
import org.codehaus.groovy.ast.expr.Expression;
import org.codehaus.groovy.ast.expr.MethodCallExpression;
import org.codehaus.groovy.ast.expr.MethodPointerExpression;
import org.codehaus.groovy.ast.expr.StaticMethodCallExpression;
import org.codehaus.groovy.classgen.GeneratorContext;
import org.codehaus.groovy.control.CompilePhase;
import org.codehaus.groovy.control.SourceUnit;
import org.codehaus.groovy.control.customizers.CompilationCustomizer;

/**
 * Refuses calls that end the JVM: {@code System.exit}, {@code Runtime.exit} and {@code Runtime.halt}, through static
 * imports and method references too. Where the receiver's type is not written down, a call of one of these names with one
 * argument is refused as well.
 *
 * <p>This keeps mistakes out, not malice: reflection, {@code Eval} or a class on the class path that exits get round it, and
 * a JVM of our day has no security manager to stop them. Filter code is as trusted as the gateway itself.
 */
final class ExitCalls extends CompilationCustomizer {
    private static final Set<String> ENDINGS = Set.of("exit", "halt");
    private static final Set<String> OWNERS = Set.of("java.lang.System", "java.lang.Runtime");

    ExitCalls() {
        super(CompilePhase.CANONICALIZATION);
    }

    @Override
    public void call(SourceUnit source, GeneratorContext context, ClassNode type) {
        new Visitor((FilterSourceUnit) source, type).visitClass(type);
    }

    private static final class Visitor extends ClassCodeVisitorSupport {
        private final FilterSourceUnit unit;
        private final ClassNode type;

        Visitor(FilterSourceUnit unit, ClassNode type) {
            this.unit = unit;
            this.type = type;
        }

        @Override
        protected SourceUnit getSourceUnit() {
            return unit;
        }

        @Override
        public void visitMethodCallExpression(MethodCallExpression call) {
            String name = call.getMethodAsString();
            Expression receiver = call.getObjectExpression();
            if (name == null) {
                if (isOwner(receiver)) {
                    refuse("a method chosen at run time", call);
                }
            } else if (ENDINGS.contains(name) && hasOneArgument(call.getArguments())) {
                boolean own = call.isImplicitThis() && type.hasPossibleMethod(name, call.getArguments());
                if (!own
                        && (isOwner(receiver)
                                || ClassHelper.isObjectType(receiver.getType())
                                || call.isImplicitThis())) {
                    refuse(name, call);
                }
            }
            super.visitMethodCallExpression(call);
        }

        @Override
        public void visitStaticMethodCallExpression(StaticMethodCallExpression call) {
            if (ENDINGS.contains(call.getMethod())
                    && OWNERS.contains(call.getOwnerType().getName())) {
                refuse(call.getMethod(), call);
            }
            super.visitStaticMethodCallExpression(call);
        }

        @Override
        public void visitMethodPointerExpression(MethodPointerExpression pointer) {
            Expression receiver = pointer.getExpression();
            if (ENDINGS.contains(pointer.getMethodName().getText())
                    && (isOwner(receiver) || ClassHelper.isObjectType(receiver.getType()))) {
                refuse(pointer.getMethodName().getText(), pointer);
            }
            super.visitMethodPointerExpression(pointer);
        }

        private void refuse(String what, ASTNode at) {
            unit.fault("a filter must not end the JVM, as " + what + " of System or Runtime would", at);
        }
    }

    private static boolean isOwner(Expression receiver) {
        return OWNERS.contains(receiver.getType().getName());
    }

    private static boolean hasOneArgument(Expression arguments) {
        return !(arguments instanceof ArgumentListExpression list)
                || list.getExpressions().size() == 1;
    }
}
