package dev.lychgate.filters.groovy;

import dev.lychgate.filter.FilterExchange;
import dev.lychgate.filter.FilterOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.codehaus.groovy.ast.ClassHelper;
import org.codehaus.groovy.ast.ClassNode;
import org.codehaus.groovy.ast.MethodNode;
import org.codehaus.groovy.ast.Parameter;
import org.codehaus.groovy.ast.expr.ClassExpression;
import org.codehaus.groovy.ast.expr.ClosureExpression;
import org.codehaus.groovy.ast.expr.Expression;
import org.codehaus.groovy.ast.expr.MethodCallExpression;
import org.codehaus.groovy.ast.expr.StaticMethodCallExpression;
import org.codehaus.groovy.ast.expr.TupleExpression;
import org.codehaus.groovy.ast.expr.VariableExpression;
import org.codehaus.groovy.transform.stc.ExtensionMethodNode;
import org.codehaus.groovy.transform.stc.StaticTypesMarker;
import org.jspecify.annotations.Nullable;

/**
 * Detects calls that create an outcome of a filter. In statically compiled code, the declared return type of the method
 * decides. In dynamic code, the name of the method decides, provided that the receiver is an exchange or
 * {@link FilterOutcome}.
 */
final class OutcomeCalls {
    private static final ClassNode OUTCOME = ClassHelper.make(FilterOutcome.class);
    private static final ClassNode EXCHANGE = ClassHelper.make(FilterExchange.class);
    private static final Set<String> MAKE = Set.of("respond", "redirect", "fail");
    private static final Set<String> COMPLETE = Set.of("header", "body", "text", "html", "json");

    /**
     * The names of methods that drop the results of closures, in addition to all names that begin with "each". The
     * signatures of these methods do not show that results are dropped.
     */
    private static final Set<String> UNHEARD =
            Set.of("reverseEach", "times", "upto", "downto", "step", "tap", "forEach");

    private OutcomeCalls() {}

    /** Returns the method to which the type checker has resolved a call; null in dynamic code. */
    static @Nullable MethodNode target(Expression call) {
        return call.getNodeMetaData(StaticTypesMarker.DIRECT_METHOD_CALL_TARGET);
    }

    static boolean makesOutcome(Expression value) {
        if (value instanceof StaticMethodCallExpression call) {
            MethodNode target = target(call);
            return target == null
                    ? call.getOwnerType().equals(OUTCOME) && MAKE.contains(call.getMethod())
                    : isOutcome(target.getReturnType());
        }
        if (!(value instanceof MethodCallExpression call)) {
            return false;
        }
        MethodNode target = target(call);
        return target == null ? makesByName(call) : makes(call, target);
    }

    private static boolean makes(MethodCallExpression call, MethodNode target) {
        if (!isOutcome(target.getReturnType())) {
            return false;
        }
        boolean completes = isOutcome(target.getDeclaringClass()) && !target.isStatic();
        return !completes || makesOutcome(call.getObjectExpression());
    }

    private static boolean makesByName(MethodCallExpression call) {
        String name = call.getMethodAsString();
        Expression asked = call.getObjectExpression();
        if (name == null) {
            return false;
        }
        return MAKE.contains(name)
                ? isExchange(asked)
                        || (asked instanceof ClassExpression && asked.getType().equals(OUTCOME))
                : COMPLETE.contains(name) && makesOutcome(asked);
    }

    /**
     * Returns whether the receiver of a call is an exchange. An untyped parameter is assumed to be an exchange, because
     * exchanges have a method with the name of the called method.
     */
    private static boolean isExchange(Expression asked) {
        if (!(asked instanceof VariableExpression variable)) {
            return false;
        }
        ClassNode type = variable.getType();
        return type.equals(EXCHANGE)
                || (ClassHelper.isObjectType(type)
                        && (variable.getAccessedVariable() instanceof Parameter
                                || variable.getName().equals("it")));
    }

    /**
     * Returns whether a type is an outcome. A type variable does not count. For example, {@code put} of a map of
     * outcomes returns the previous outcome of the key, which the caller may drop.
     */
    private static boolean isOutcome(ClassNode type) {
        return !type.isGenericsPlaceHolder() && (type.equals(OUTCOME) || type.implementsInterface(OUTCOME));
    }

    /**
     * Returns the closures among the arguments of a call, provided that the called method drops their results. Examples
     * are closures for {@code each}, and for methods with a {@code Consumer}.
     */
    static List<ClosureExpression> unheard(MethodCallExpression call) {
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
        MethodNode target = target(call);
        if (target == null || target instanceof ExtensionMethodNode) {
            String name = call.getMethodAsString();
            return name != null && (name.startsWith("each") || UNHEARD.contains(name));
        }
        MethodNode one = index < target.getParameters().length
                ? ClassHelper.findSAM(target.getParameters()[index].getType())
                : null;
        return one != null && ClassHelper.isPrimitiveVoid(one.getReturnType());
    }
}
