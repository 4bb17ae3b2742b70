package dev.lychgate.filters.groovy;

import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.codehaus.groovy.ast.ClassCodeVisitorSupport;
import org.codehaus.groovy.ast.ClassHelper;
import org.codehaus.groovy.ast.ClassNode;
import org.codehaus.groovy.ast.MethodNode;
import org.codehaus.groovy.ast.Parameter;
import org.codehaus.groovy.ast.expr.BinaryExpression;
import org.codehaus.groovy.ast.expr.ClosureExpression;
import org.codehaus.groovy.ast.expr.Expression;
import org.codehaus.groovy.ast.expr.MethodCallExpression;
import org.codehaus.groovy.ast.expr.TernaryExpression;
import org.codehaus.groovy.ast.stmt.ExpressionStatement;
import org.codehaus.groovy.ast.stmt.ReturnStatement;
import org.codehaus.groovy.ast.stmt.Statement;
import org.codehaus.groovy.classgen.GeneratorContext;
import org.codehaus.groovy.classgen.ReturnAdder;
import org.codehaus.groovy.control.CompilePhase;
import org.codehaus.groovy.control.SourceUnit;
import org.codehaus.groovy.control.customizers.CompilationCustomizer;
import org.codehaus.groovy.syntax.Types;
import org.jspecify.annotations.Nullable;

/**
 * Refuses statements in filters that create an outcome and drop it. For example, {@code if (bad) it.respond(403)},
 * followed by other statements, looks like a rejection, but the exchange continues.
 *
 * <p>The compiler's {@link ReturnAdder} determines the implicit results of methods and closures. Therefore, this check
 * and the compiler agree about the result of a final {@code if}, {@code switch} or {@code try}. The check runs after
 * the type checker, which provides the return types of calls. An outcome that is assigned to a variable is not tracked.
 */
final class DroppedOutcomes extends CompilationCustomizer {
    DroppedOutcomes() {
        super(CompilePhase.INSTRUCTION_SELECTION);
    }

    @Override
    public void call(SourceUnit source, GeneratorContext context, ClassNode type) {
        new Visitor((FilterSourceUnit) source).visitClass(type);
    }

    private static final class Visitor extends ClassCodeVisitorSupport {
        private final FilterSourceUnit unit;
        /**
         * The values of the last statements of methods and closures. They are not dropped, because they are the
         * results.
         */
        private final Set<Expression> results = Collections.newSetFromMap(new IdentityHashMap<>());
        /** The closures whose results are dropped, with the name of the method that drops the results. */
        private final IdentityHashMap<ClosureExpression, String> unheard = new IdentityHashMap<>();
        /**
         * The values that have been reported. The initial value of a property is visited twice, as a part of the
         * property and of its field, but it is reported one time.
         */
        private final Set<Expression> told = Collections.newSetFromMap(new IdentityHashMap<>());
        /** For each enclosing method or closure, the method that drops its result; empty if the result is used. */
        private final Deque<String> around = new ArrayDeque<>();

        Visitor(FilterSourceUnit unit) {
            this.unit = unit;
        }

        @Override
        protected SourceUnit getSourceUnit() {
            return unit;
        }

        @Override
        protected void visitConstructorOrMethod(MethodNode method, boolean isConstructor) {
            if (!isConstructor) {
                findResults(method);
            }
            around.push("");
            super.visitConstructorOrMethod(method, isConstructor);
            around.pop();
        }

        @Override
        public void visitClosureExpression(ClosureExpression closure) {
            findResults(asMethod(closure));
            around.push(unheard.getOrDefault(closure, ""));
            super.visitClosureExpression(closure);
            around.pop();
        }

        private static MethodNode asMethod(ClosureExpression closure) {
            Statement code = closure.getCode();
            return new MethodNode(
                    "call", 0, ClassHelper.OBJECT_TYPE, Parameter.EMPTY_ARRAY, ClassNode.EMPTY_ARRAY, code);
        }

        private void findResults(MethodNode method) {
            if (method.getCode() != null) {
                new ReturnAdder(result -> results.add(result.getExpression())).visitMethod(method);
            }
        }

        @Override
        public void visitMethodCallExpression(MethodCallExpression call) {
            OutcomeCalls.unheard(call)
                    .forEach(closure -> unheard.put(closure, String.valueOf(call.getMethodAsString())));
            super.visitMethodCallExpression(call);
        }

        @Override
        public void visitExpressionStatement(ExpressionStatement statement) {
            Expression value = statement.getExpression();
            if (results.contains(value)) {
                onResult(value);
            } else {
                lookForLost(value, "");
            }
            super.visitExpressionStatement(statement);
        }

        @Override
        public void visitReturnStatement(ReturnStatement statement) {
            onResult(statement.getExpression());
            super.visitReturnStatement(statement);
        }

        private void onResult(Expression value) {
            String heardBy = around.isEmpty() ? "" : around.peek();
            if (!heardBy.isEmpty()) {
                lookForLost(value, heardBy);
            } else if (isBoolean(value)) {
                lookForLost(value, "");
            }
        }

        /**
         * Reports a value if it is an outcome. The caller has determined that the value is not used.
         *
         * @param value a value that is not used
         * @param thrownAwayBy the method that receives the value and drops it; empty if there is no such method
         */
        private void lookForLost(@Nullable Expression value, String thrownAwayBy) {
            if (value instanceof TernaryExpression choice) {
                lookForLost(choice.getTrueExpression(), thrownAwayBy);
                lookForLost(choice.getFalseExpression(), thrownAwayBy);
            } else if (value instanceof BinaryExpression both && isBoolean(both)) {
                lookForLost(both.getRightExpression(), thrownAwayBy);
            } else if (value != null && OutcomeCalls.makesOutcome(value) && told.add(value)) {
                unit.fault(
                        thrownAwayBy.isEmpty()
                                ? "this outcome is lost, so the exchange would continue: return the outcome"
                                : "this outcome is lost, because " + thrownAwayBy
                                        + " ignores the result of its closure: return the outcome"
                                        + " from a for loop, or return the result of find or findResult",
                        value);
            }
        }

        /** Returns whether the expression reduces its operands to true or false, as in {@code bad && respond(403)}. */
        private static boolean isBoolean(Expression value) {
            return value instanceof BinaryExpression both
                    && List.of(Types.LOGICAL_AND, Types.LOGICAL_OR)
                            .contains(both.getOperation().getType());
        }
    }
}
