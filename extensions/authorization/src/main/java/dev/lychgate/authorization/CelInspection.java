package dev.lychgate.authorization;

import com.google.re2j.Pattern;
import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelSourceLocation;
import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.CelCall;
import dev.cel.common.ast.CelExpr.CelStruct;
import dev.cel.common.ast.CelExpr.ExprKind;
import dev.cel.common.ast.CelExprVisitor;
import dev.lychgate.config.Cidr;
import dev.lychgate.config.RegularExpression;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Checks the constant patterns and address blocks of a type-checked expression. Every pattern must be a constant.
 * Otherwise, a client could send a pattern of any cost.
 */
final class CelInspection extends CelExprVisitor {
    private final CelAbstractSyntaxTree ast;
    private final Map<String, Pattern> patterns = new HashMap<>();

    private CelInspection(CelAbstractSyntaxTree ast) {
        this.ast = ast;
    }

    /**
     * Checks an expression.
     *
     * @return the compiled patterns by their texts
     * @throws IllegalArgumentException if the expression is refused; the message contains the reason with its line
     *     and column
     */
    static Map<String, Pattern> of(CelAbstractSyntaxTree ast) {
        CelInspection inspection = new CelInspection(ast);
        inspection.visit(ast);
        return Map.copyOf(inspection.patterns);
    }

    @Override
    protected void visit(CelExpr expr, CelCall call) {
        super.visit(expr, call);
        if (call.args().isEmpty()) {
            return;
        }
        CelExpr last = call.args().get(call.args().size() - 1);
        if (call.function().equals("matches")) {
            pattern(last);
        } else if (call.function().equals("inNet")) {
            blocks(last);
        }
    }

    @Override
    protected void visit(CelExpr expr, CelStruct struct) {
        throw refused(expr, "an object cannot be created");
    }

    private void pattern(CelExpr argument) {
        if (!isText(argument)) {
            throw refused(argument, "the pattern of matches must be a constant");
        }
        String text = argument.constant().stringValue();
        try {
            patterns.put(text, RegularExpression.compile(text));
        } catch (IllegalArgumentException e) {
            throw refused(argument, String.valueOf(e.getMessage()));
        }
    }

    private void blocks(CelExpr argument) {
        List<CelExpr> all = argument.exprKind().getKind() == ExprKind.Kind.LIST
                ? argument.list().elements()
                : List.of(argument);
        for (CelExpr block : all) {
            if (isText(block)) {
                try {
                    Cidr.parse(block.constant().stringValue());
                } catch (IllegalArgumentException e) {
                    throw refused(block, String.valueOf(e.getMessage()));
                }
            }
        }
    }

    private static boolean isText(CelExpr expr) {
        return expr.exprKind().getKind() == ExprKind.Kind.CONSTANT
                && expr.constant().getKind() == CelConstant.Kind.STRING_VALUE;
    }

    private IllegalArgumentException refused(CelExpr expr, String reason) {
        Integer offset = ast.getSource().getPositionsMap().get(expr.id());
        CelSourceLocation place = offset == null
                ? CelSourceLocation.of(1, 0)
                : ast.getSource().getOffsetLocation(offset).orElse(CelSourceLocation.of(1, 0));
        return new IllegalArgumentException(
                "a CEL expression of type bool; %d:%d: %s".formatted(place.getLine(), place.getColumn() + 1, reason));
    }
}
