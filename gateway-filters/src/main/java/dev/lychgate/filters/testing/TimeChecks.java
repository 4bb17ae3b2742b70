package dev.lychgate.filters.testing;

import org.codehaus.groovy.ast.ClassCodeVisitorSupport;
import org.codehaus.groovy.ast.ClassHelper;
import org.codehaus.groovy.ast.ClassNode;
import org.codehaus.groovy.ast.expr.ArgumentListExpression;
import org.codehaus.groovy.ast.expr.ClosureExpression;
import org.codehaus.groovy.ast.expr.StaticMethodCallExpression;
import org.codehaus.groovy.ast.stmt.BlockStatement;
import org.codehaus.groovy.ast.stmt.DoWhileStatement;
import org.codehaus.groovy.ast.stmt.ExpressionStatement;
import org.codehaus.groovy.ast.stmt.ForStatement;
import org.codehaus.groovy.ast.stmt.Statement;
import org.codehaus.groovy.ast.stmt.WhileStatement;
import org.codehaus.groovy.classgen.GeneratorContext;
import org.codehaus.groovy.control.CompilePhase;
import org.codehaus.groovy.control.SourceUnit;
import org.codehaus.groovy.control.customizers.CompilationCustomizer;

/**
 * Adds a call of {@link FilterTestScript#checkTime} to each loop and closure of a script, so that an abandoned script
 * ends.
 */
final class TimeChecks extends CompilationCustomizer {
    private static final ClassNode SCRIPT = ClassHelper.make(FilterTestScript.class);

    TimeChecks() {
        super(CompilePhase.CANONICALIZATION);
    }

    @Override
    public void call(SourceUnit source, GeneratorContext context, ClassNode type) {
        new Visitor(source).visitClass(type);
    }

    private static final class Visitor extends ClassCodeVisitorSupport {
        private final SourceUnit source;

        Visitor(SourceUnit source) {
            this.source = source;
        }

        @Override
        protected SourceUnit getSourceUnit() {
            return source;
        }

        @Override
        public void visitWhileLoop(WhileStatement loop) {
            super.visitWhileLoop(loop);
            loop.setLoopBlock(checked(loop.getLoopBlock()));
        }

        @Override
        public void visitDoWhileLoop(DoWhileStatement loop) {
            super.visitDoWhileLoop(loop);
            loop.setLoopBlock(checked(loop.getLoopBlock()));
        }

        @Override
        public void visitForLoop(ForStatement loop) {
            super.visitForLoop(loop);
            loop.setLoopBlock(checked(loop.getLoopBlock()));
        }

        @Override
        public void visitClosureExpression(ClosureExpression closure) {
            super.visitClosureExpression(closure);
            if (closure.getCode() instanceof BlockStatement block) {
                block.getStatements().add(0, check());
            }
        }

        private static Statement checked(Statement body) {
            BlockStatement block = new BlockStatement();
            block.addStatement(check());
            block.addStatement(body);
            return block;
        }

        private static Statement check() {
            return new ExpressionStatement(
                    new StaticMethodCallExpression(SCRIPT, "checkTime", ArgumentListExpression.EMPTY_ARGUMENTS));
        }
    }
}
