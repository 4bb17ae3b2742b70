package dev.lychgate.filters.groovy;

import dev.lychgate.filter.FilterExchange;
import java.util.List;
import org.codehaus.groovy.ast.ClassCodeVisitorSupport;
import org.codehaus.groovy.ast.ClassNode;
import org.codehaus.groovy.ast.expr.ConstantExpression;
import org.codehaus.groovy.ast.expr.Expression;
import org.codehaus.groovy.ast.expr.MethodCallExpression;
import org.codehaus.groovy.ast.expr.TupleExpression;
import org.codehaus.groovy.ast.expr.VariableExpression;
import org.codehaus.groovy.classgen.GeneratorContext;
import org.codehaus.groovy.control.CompilePhase;
import org.codehaus.groovy.control.SourceUnit;
import org.codehaus.groovy.control.customizers.CompilationCustomizer;

/**
 * Records the upstreams that filters call by a constant, such as {@code exchange.call('users')}. In dynamic code, only
 * variables that are declared as {@link FilterExchange} are recognized.
 */
final class CalledUpstreams extends CompilationCustomizer {
    CalledUpstreams() {
        super(CompilePhase.INSTRUCTION_SELECTION);
    }

    @Override
    public void call(SourceUnit source, GeneratorContext context, ClassNode type) {
        new Visitor((FilterSourceUnit) source).visitClass(type);
    }

    private static final class Visitor extends ClassCodeVisitorSupport {
        private final FilterSourceUnit unit;

        Visitor(FilterSourceUnit unit) {
            this.unit = unit;
        }

        @Override
        protected SourceUnit getSourceUnit() {
            return unit;
        }

        @Override
        public void visitMethodCallExpression(MethodCallExpression call) {
            boolean calls = "call".equals(call.getMethodAsString())
                    && call.getObjectExpression() instanceof VariableExpression variable
                    && EarlyResponses.isExchange(variable);
            if (calls && call.getArguments() instanceof TupleExpression arguments) {
                List<Expression> given = arguments.getExpressions();
                if (given.size() == 1
                        && given.get(0) instanceof ConstantExpression name
                        && name.getValue() instanceof String upstream) {
                    unit.calls(upstream, name);
                }
            }
            super.visitMethodCallExpression(call);
        }
    }
}
