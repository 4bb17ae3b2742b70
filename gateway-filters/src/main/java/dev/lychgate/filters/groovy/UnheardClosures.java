package dev.lychgate.filters.groovy;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.codehaus.groovy.ast.ClassHelper;
import org.codehaus.groovy.ast.ClassNode;
import org.codehaus.groovy.ast.MethodNode;
import org.codehaus.groovy.ast.Parameter;
import org.codehaus.groovy.ast.expr.ClosureExpression;
import org.codehaus.groovy.ast.expr.Expression;
import org.codehaus.groovy.ast.expr.MethodCallExpression;
import org.codehaus.groovy.ast.expr.TupleExpression;
import org.codehaus.groovy.transform.stc.ExtensionMethodNode;
import org.jspecify.annotations.Nullable;

/**
 * Knows closures of whose results nothing comes: those of {@code each} and its kin, and those that stand for a method
 * without a result, as a {@link java.util.function.Consumer}.
 */
final class UnheardClosures {
    /** Beside all that begin with "each". Their declarations don't say it: they take a {@code Closure}, as others do. */
    private static final Set<String> OF_GROOVY =
            Set.of("reverseEach", "times", "upto", "downto", "step", "tap", "forEach");

    private UnheardClosures() {}

    static List<ClosureExpression> of(MethodCallExpression call) {
        List<ClosureExpression> unheard = new ArrayList<>();
        if (call.getArguments() instanceof TupleExpression arguments) {
            List<Expression> given = arguments.getExpressions();
            for (int i = 0; i < given.size(); i++) {
                if (given.get(i) instanceof ClosureExpression closure && isUnheard(call, i)) {
                    unheard.add(closure);
                }
            }
        }
        return unheard;
    }

    private static boolean isUnheard(MethodCallExpression call, int index) {
        MethodNode target = OutcomeCalls.target(call);
        if (target == null || target instanceof ExtensionMethodNode) {
            return isOfGroovy(call.getMethodAsString());
        }
        return standsForNoResult(target.getParameters(), index);
    }

    private static boolean isOfGroovy(@Nullable String name) {
        return name != null && (name.startsWith("each") || OF_GROOVY.contains(name));
    }

    private static boolean standsForNoResult(Parameter[] parameters, int index) {
        if (index >= parameters.length) {
            return false;
        }
        ClassNode type = parameters[index].getType();
        MethodNode one = ClassHelper.findSAM(type);
        return one != null && ClassHelper.isPrimitiveVoid(one.getReturnType());
    }
}
