package dev.lychgate.authorization;

import com.google.re2j.Pattern;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelFunctionBinding;
import dev.cel.runtime.CelRuntime;
import dev.cel.runtime.CelRuntimeFactory;
import dev.cel.runtime.CelStandardFunctions;
import dev.cel.runtime.CelStandardFunctions.StandardFunction;
import dev.cel.runtime.CelVariableResolver;
import dev.lychgate.config.Cidr;
import dev.lychgate.config.IpLiteral;
import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A named expression that is ready for evaluation. Thread-safe. */
final class CelRule {
    private static final int LONGEST_REASON = 200;

    private final String name;
    private final CelRuntime.Program program;

    /**
     * Compiles a rule.
     *
     * @param maxIterations the maximum number of macro iterations in one evaluation
     * @throws IllegalArgumentException if the expression is refused
     */
    CelRule(String name, String expression, int maxIterations) {
        this.name = name;
        CelCompilation compiled = CelCompilation.of(expression);
        try {
            this.program = runtime(compiled.patterns(), maxIterations).createProgram(compiled.ast());
        } catch (CelEvaluationException e) {
            throw new IllegalArgumentException("a CEL expression; " + e.getMessage(), e);
        }
    }

    @SuppressWarnings("Immutable") // the patterns are immutable
    private static CelRuntime runtime(Map<String, Pattern> patterns, int maxIterations) {
        return CelRuntimeFactory.legacyCelRuntimeBuilder()
                .setOptions(CelCompilation.OPTIONS.toBuilder()
                        .comprehensionMaxIterations(maxIterations)
                        .build())
                .setStandardEnvironmentEnabled(false)
                .setStandardFunctions(CelStandardFunctions.newBuilder()
                        .excludeFunctions(StandardFunction.MATCHES)
                        .build())
                .addLibraries(CelCompilation.STRINGS)
                .addFunctionBindings(CelFunctionBinding.fromOverloads(
                        "matches",
                        CelFunctionBinding.from(
                                "matches", String.class, String.class, (text, regex) -> matches(patterns, text, regex)),
                        CelFunctionBinding.from(
                                "matches_string",
                                String.class,
                                String.class,
                                (text, regex) -> matches(patterns, text, regex))))
                .addFunctionBindings(CelFunctionBinding.fromOverloads(
                        "inNet",
                        CelFunctionBinding.from("string_in_net_string", String.class, String.class, CelRule::isIn),
                        CelFunctionBinding.from(
                                "string_in_net_list",
                                String.class,
                                List.class,
                                (address, blocks) -> isInAny(address, (List<?>) blocks))))
                .build();
    }

    /** Returns whether a part of the text matches a pattern. The patterns were compiled with the expression. */
    private static Object matches(Map<String, Pattern> patterns, String text, String pattern) {
        Pattern compiled = patterns.get(pattern);
        if (compiled == null) {
            throw new IllegalArgumentException("the pattern is not a constant");
        }
        return compiled.matcher(text).find();
    }

    private static Object isIn(String address, String block) {
        InetAddress parsed = IpLiteral.address(address);
        if (parsed == null) {
            throw new IllegalArgumentException("the text is not an IP address");
        }
        return Cidr.parse(block).contains(parsed);
    }

    private static Object isInAny(String address, List<?> blocks) {
        for (Object block : blocks) {
            if (Boolean.TRUE.equals(isIn(address, (String) block))) {
                return true;
            }
        }
        return false;
    }

    String name() {
        return name;
    }

    /**
     * Evaluates the expression.
     *
     * @return null if the expression is true; otherwise the reason, which may contain text of the client
     */
    @Nullable
    String refusal(CelVariableResolver variables) {
        Object value;
        try {
            value = program.eval(variables);
        } catch (CelEvaluationException | RuntimeException | StackOverflowError e) {
            return "failed: " + shortened(String.valueOf(e.getMessage()));
        }
        if (Boolean.TRUE.equals(value)) {
            return null;
        }
        return Boolean.FALSE.equals(value) ? "is false" : "failed: the value is not a bool";
    }

    private static String shortened(String message) {
        String line = message.replaceAll("\\s+", " ");
        return line.length() <= LONGEST_REASON ? line : line.substring(0, LONGEST_REASON);
    }
}
