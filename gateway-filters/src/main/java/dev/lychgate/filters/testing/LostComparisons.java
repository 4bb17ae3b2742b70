package dev.lychgate.filters.testing;

import java.util.Set;
import org.codehaus.groovy.ast.ClassCodeVisitorSupport;
import org.codehaus.groovy.ast.ClassNode;
import org.codehaus.groovy.ast.CodeVisitorSupport;
import org.codehaus.groovy.ast.expr.BinaryExpression;
import org.codehaus.groovy.ast.expr.ClosureExpression;
import org.codehaus.groovy.ast.expr.Expression;
import org.codehaus.groovy.ast.expr.MethodCallExpression;
import org.codehaus.groovy.ast.expr.NotExpression;
import org.codehaus.groovy.ast.expr.TupleExpression;
import org.codehaus.groovy.ast.stmt.ExpressionStatement;
import org.codehaus.groovy.classgen.GeneratorContext;
import org.codehaus.groovy.control.CompilePhase;
import org.codehaus.groovy.control.SourceUnit;
import org.codehaus.groovy.control.customizers.CompilationCustomizer;
import org.codehaus.groovy.syntax.SyntaxException;
import org.codehaus.groovy.syntax.Types;

/**
 * Refuses comparisons that are whole statements of a test. For example, {@code test('...') { result.status == 200 }}
 * looks like a check, but passes with any status. Closures within a test are not checked, because their results may be
 * used.
 */
final class LostComparisons extends CompilationCustomizer {
    private static final Set<Integer> COMPARISONS = Set.of(
            Types.COMPARE_EQUAL,
            Types.COMPARE_NOT_EQUAL,
            Types.COMPARE_IDENTICAL,
            Types.COMPARE_NOT_IDENTICAL,
            Types.COMPARE_LESS_THAN,
            Types.COMPARE_LESS_THAN_EQUAL,
            Types.COMPARE_GREATER_THAN,
            Types.COMPARE_GREATER_THAN_EQUAL,
            Types.KEYWORD_IN,
            Types.COMPARE_NOT_IN,
            Types.KEYWORD_INSTANCEOF,
            Types.COMPARE_NOT_INSTANCEOF,
            Types.FIND_REGEX,
            Types.MATCH_REGEX);

    LostComparisons() {
        super(CompilePhase.SEMANTIC_ANALYSIS);
    }

    @Override
    public void call(SourceUnit source, GeneratorContext context, ClassNode type) {
        new Tests(source).visitClass(type);
    }

    private static final class Tests extends ClassCodeVisitorSupport {
        private final SourceUnit source;

        Tests(SourceUnit source) {
            this.source = source;
        }

        @Override
        protected SourceUnit getSourceUnit() {
            return source;
        }

        @Override
        public void visitMethodCallExpression(MethodCallExpression call) {
            if (call.isImplicitThis()
                    && "test".equals(call.getMethodAsString())
                    && call.getArguments() instanceof TupleExpression arguments) {
                for (Expression argument : arguments.getExpressions()) {
                    if (argument instanceof ClosureExpression test) {
                        test.getCode().visit(new Statements(source));
                    }
                }
            }
            super.visitMethodCallExpression(call);
        }
    }

    private static final class Statements extends CodeVisitorSupport {
        private final SourceUnit source;

        Statements(SourceUnit source) {
            this.source = source;
        }

        @Override
        public void visitExpressionStatement(ExpressionStatement statement) {
            Expression value = statement.getExpression();
            if (isComparison(value)) {
                source.getErrorCollector()
                        .addErrorAndContinue(
                                new SyntaxException(
                                        "the result of this comparison is unused: assert is missing", value),
                                source);
            }
        }

        @Override
        public void visitClosureExpression(ClosureExpression closure) {
            // A closure is not visited, because its last value is its result.
        }

        private static boolean isComparison(Expression value) {
            if (value instanceof BinaryExpression both) {
                int operation = both.getOperation().getType();
                if (operation == Types.LOGICAL_AND || operation == Types.LOGICAL_OR) {
                    // A statement such as `ready && prepare()` is accepted, because its right part may have an effect.
                    return isComparison(both.getRightExpression());
                }
                return COMPARISONS.contains(operation);
            }
            return value instanceof NotExpression;
        }
    }
}
