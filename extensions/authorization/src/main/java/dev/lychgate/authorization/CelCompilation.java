package dev.lychgate.authorization;

import com.google.common.collect.ImmutableCollection;
import com.google.common.collect.ImmutableList;
import com.google.re2j.Pattern;
import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelFunctionDecl;
import dev.cel.common.CelIssue;
import dev.cel.common.CelOptions;
import dev.cel.common.CelOverloadDecl;
import dev.cel.common.CelValidationException;
import dev.cel.common.types.CelType;
import dev.cel.common.types.CelTypeProvider;
import dev.cel.common.types.ListType;
import dev.cel.common.types.SimpleType;
import dev.cel.compiler.CelCompiler;
import dev.cel.compiler.CelCompilerBuilder;
import dev.cel.compiler.CelCompilerFactory;
import dev.cel.extensions.CelExtensions;
import dev.cel.extensions.CelStringExtensions;
import dev.cel.extensions.CelStringExtensions.Function;
import dev.cel.parser.CelStandardMacro;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A type-checked expression.
 *
 * @param patterns the compiled patterns of the calls of {@code matches}, by the texts of the patterns
 * @see <a href="https://github.com/google/cel-spec/blob/master/doc/langdef.md">CEL, Language Definition</a>
 */
record CelCompilation(CelAbstractSyntaxTree ast, Map<String, Pattern> patterns) {
    /** The maximum number of characters in an expression. It bounds the cost of all parts outside of macros. */
    static final int LONGEST = 4_096;
    /**
     * The maximum nesting depth of an expression. The depth is limited because the parser and the evaluation are
     * recursive.
     */
    private static final int DEEPEST = 32;

    private static final int MOST_ISSUES = 3;

    static final CelOptions OPTIONS = CelOptions.current()
            .maxExpressionCodePointSize(LONGEST)
            .maxParseRecursionDepth(DEEPEST)
            .enableHeterogeneousNumericComparisons(true)
            .build();

    /**
     * The string functions with results that are at most as long as their arguments. Other functions, such as {@code
     * replace}, could turn a long header field into a value of any size.
     */
    static final CelStringExtensions STRINGS = CelExtensions.strings(
            Function.CHAR_AT,
            Function.INDEX_OF,
            Function.LAST_INDEX_OF,
            Function.LOWER_ASCII,
            Function.SPLIT,
            Function.SUBSTRING,
            Function.TRIM,
            Function.UPPER_ASCII);

    private static final CelCompiler COMPILER = compiler();

    private static CelCompiler compiler() {
        CelCompilerBuilder builder = CelCompilerFactory.standardCelCompilerBuilder()
                .setOptions(OPTIONS)
                .setStandardMacros(CelStandardMacro.STANDARD_MACROS)
                .addLibraries(STRINGS)
                .setTypeProvider(new Types())
                .addFunctionDeclarations(CelFunctionDecl.newFunctionDeclaration(
                        "inNet",
                        CelOverloadDecl.newMemberOverload(
                                "string_in_net_string", SimpleType.BOOL, SimpleType.STRING, SimpleType.STRING),
                        CelOverloadDecl.newMemberOverload(
                                "string_in_net_list",
                                SimpleType.BOOL,
                                SimpleType.STRING,
                                ListType.create(SimpleType.STRING))))
                .setResultType(SimpleType.BOOL);
        Variables.types().forEach(builder::addVar);
        return builder.build();
    }

    /** The types of the variables. */
    private static final class Types implements CelTypeProvider {
        private final ImmutableList<CelType> all =
                Variables.STRUCTS.stream().map(Struct::type).collect(ImmutableList.toImmutableList());

        @Override
        public ImmutableCollection<CelType> types() {
            return all;
        }

        @Override
        public Optional<CelType> findType(String name) {
            return all.stream().filter(type -> type.name().equals(name)).findFirst();
        }
    }

    /**
     * Compiles an expression.
     *
     * @throws IllegalArgumentException if the expression is refused; the message contains each reason with its line
     *     and column
     */
    static CelCompilation of(String text) {
        try {
            CelAbstractSyntaxTree ast = COMPILER.compile(text).getAst();
            return new CelCompilation(ast, CelInspection.of(ast));
        } catch (CelValidationException e) {
            throw new IllegalArgumentException(expected(e.getErrors()), e);
        } catch (StackOverflowError e) {
            throw new IllegalArgumentException("a CEL expression that is nested less deeply", e);
        }
    }

    private static String expected(List<CelIssue> issues) {
        return issues.stream()
                .limit(MOST_ISSUES)
                .map(issue -> "%d:%d: %s"
                        .formatted(
                                issue.getSourceLocation().getLine(),
                                issue.getSourceLocation().getColumn() + 1,
                                issue.getMessage().strip().replaceAll("\\s+", " ")))
                .collect(Collectors.joining("; ", "a CEL expression of type bool; ", ""));
    }
}
