package dev.lychgate.filters.groovy;

import dev.lychgate.filter.AsyncFilter;
import dev.lychgate.filter.BlockingFilter;
import dev.lychgate.filter.FilterExchange;
import dev.lychgate.filter.FilterPhase;
import dev.lychgate.filter.SyncFilter;
import java.util.List;
import java.util.Set;
import org.codehaus.groovy.ast.ASTNode;
import org.codehaus.groovy.ast.ClassCodeVisitorSupport;
import org.codehaus.groovy.ast.ClassHelper;
import org.codehaus.groovy.ast.ClassNode;
import org.codehaus.groovy.ast.MethodNode;
import org.codehaus.groovy.ast.Parameter;
import org.codehaus.groovy.ast.expr.ClosureExpression;
import org.codehaus.groovy.ast.expr.Expression;
import org.codehaus.groovy.ast.expr.MethodCallExpression;
import org.codehaus.groovy.ast.expr.PropertyExpression;
import org.codehaus.groovy.ast.expr.TupleExpression;
import org.codehaus.groovy.ast.expr.VariableExpression;
import org.codehaus.groovy.classgen.GeneratorContext;
import org.codehaus.groovy.control.CompilePhase;
import org.codehaus.groovy.control.SourceUnit;
import org.codehaus.groovy.control.customizers.CompilationCustomizer;
import org.codehaus.groovy.transform.stc.StaticTypesMarker;
import org.jspecify.annotations.Nullable;

/**
 * Refuses inbound and endpoint filters that read the response before it exists. Such a filter would fail in each
 * exchange that reaches the statement.
 *
 * <p>Two kinds of code run before the response exists: the closure that a script passes to {@code filter}, {@code
 * async} or {@code blocking}, and the method {@code filter(FilterExchange)} of a filter class. Closures within such
 * code are not examined, because they may be completion actions, which may read the response. In dynamic code, only
 * variables that are declared as {@link FilterExchange} are recognized.
 */
final class EarlyResponses extends CompilationCustomizer {
    static final String FAULT =
            "there is no response yet in this phase: read it in an outbound filter, or in onCompleted";

    private static final ClassNode EXCHANGE = ClassHelper.make(FilterExchange.class);
    private static final List<ClassNode> FORMS = List.of(
            ClassHelper.make(SyncFilter.class),
            ClassHelper.make(AsyncFilter.class),
            ClassHelper.make(BlockingFilter.class));
    private static final Set<String> SCRIPT_FORMS = Set.of("filter", "async", "blocking");

    EarlyResponses() {
        super(CompilePhase.INSTRUCTION_SELECTION);
    }

    @Override
    public void call(SourceUnit source, GeneratorContext context, ClassNode type) {
        FilterSourceUnit unit = (FilterSourceUnit) source;
        FilterPhase phase = unit.place().phase();
        if (phase == FilterPhase.INBOUND || phase == FilterPhase.ENDPOINT) {
            new Visitor(unit, type).visitClass(type);
        }
    }

    private static final class Visitor extends ClassCodeVisitorSupport {
        private final FilterSourceUnit unit;
        private final boolean script;
        private final boolean filter;
        /** Whether the visited code runs before the response exists. */
        private boolean early;
        /** The closure that the script has passed as its filter, until it is visited; null otherwise. */
        private @Nullable ClosureExpression main;

        Visitor(FilterSourceUnit unit, ClassNode type) {
            this.unit = unit;
            script = type.isScript();
            filter = FORMS.stream().anyMatch(type::implementsInterface);
        }

        @Override
        protected SourceUnit getSourceUnit() {
            return unit;
        }

        @Override
        protected void visitConstructorOrMethod(MethodNode method, boolean isConstructor) {
            Parameter[] parameters = method.getParameters();
            early = filter
                    && method.getName().equals("filter")
                    && parameters.length == 1
                    && parameters[0].getType().equals(EXCHANGE);
            super.visitConstructorOrMethod(method, isConstructor);
            early = false;
        }

        @Override
        public void visitClosureExpression(ClosureExpression closure) {
            boolean before = early;
            early = closure == main;
            super.visitClosureExpression(closure);
            early = before;
        }

        @Override
        public void visitMethodCallExpression(MethodCallExpression call) {
            String name = String.valueOf(call.getMethodAsString());
            if (script && call.isImplicitThis() && SCRIPT_FORMS.contains(name)) {
                main = lastClosure(call.getArguments());
            } else if (name.equals("getResponse")) {
                check(call.getObjectExpression(), call);
            }
            super.visitMethodCallExpression(call);
        }

        private static @Nullable ClosureExpression lastClosure(Expression arguments) {
            List<Expression> given =
                    arguments instanceof TupleExpression list ? list.getExpressions() : List.of(arguments);
            boolean ends = !given.isEmpty() && given.get(given.size() - 1) instanceof ClosureExpression;
            return ends ? (ClosureExpression) given.get(given.size() - 1) : null;
        }

        @Override
        public void visitPropertyExpression(PropertyExpression property) {
            if ("response".equals(property.getPropertyAsString())) {
                check(property.getObjectExpression(), property);
            }
            super.visitPropertyExpression(property);
        }

        private void check(Expression receiver, ASTNode at) {
            if (early && receiver instanceof VariableExpression variable && isExchange(variable)) {
                unit.fault(FAULT, at);
            }
        }
    }

    /** Returns whether the declared or the inferred type of a variable is {@link FilterExchange}. */
    static boolean isExchange(VariableExpression variable) {
        ClassNode inferred = variable.getNodeMetaData(StaticTypesMarker.INFERRED_TYPE);
        return EXCHANGE.equals(inferred) || EXCHANGE.equals(variable.getType());
    }
}
