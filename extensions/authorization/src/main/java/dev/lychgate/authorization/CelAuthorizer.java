package dev.lychgate.authorization;

import dev.cel.runtime.CelVariableResolver;
import dev.lychgate.filter.FilterExchange;
import dev.lychgate.filter.FilterOutcome;
import dev.lychgate.filter.FilterServices;
import dev.lychgate.filter.InboundFilter;
import dev.lychgate.filter.SyncFilter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Admits requests for which all rules are true. A request is denied if a rule is false or its evaluation fails, for
 * example because of a missing claim. An evaluation takes microseconds and runs on the event loop. The cost of an
 * evaluation is bounded by limits on the length of the expression and on the iterations of its macros.
 */
final class CelAuthorizer implements InboundFilter, SyncFilter {
    private final CelSettings settings;
    private final String name;
    private final List<CelRule> rules = new ArrayList<>();
    private final Tally tally = new Tally("cel");

    /**
     * Compiles the expressions of an authorizer.
     *
     * @throws IllegalArgumentException if an expression is refused
     */
    CelAuthorizer(CelSettings settings, String name, int maxIterations) {
        this.settings = settings;
        this.name = name;
        settings.expressions().forEach((rule, text) -> rules.add(new CelRule(rule, text, maxIterations)));
        // The first evaluation loads classes, which must not happen on an event loop.
        rules.forEach(rule -> rule.refusal(SAMPLE));
    }

    /** The values of a sample request, which has no identity and no optional members. */
    private static final CelVariableResolver SAMPLE = variable -> Optional.ofNullable(
            switch (variable) {
                case "request" ->
                    Map.of(
                            "method",
                            "GET",
                            "path",
                            "/",
                            "host",
                            "localhost",
                            "scheme",
                            "http",
                            "protocol",
                            "HTTP/1.1",
                            "headers",
                            Map.of(),
                            "query",
                            Map.of(),
                            "cookies",
                            Map.of());
                case "connection" -> Map.of("address", "127.0.0.1", "peer_address", "127.0.0.1", "listener", "main");
                case "identity", "claims" -> Map.of();
                case "route" -> "route";
                default -> null;
            });

    @Override
    public String name() {
        return name;
    }

    @Override
    public int order() {
        return settings.order();
    }

    @Override
    public String remark() {
        String rule = settings.rule();
        String what = rule == null
                ? "rules " + String.join(", ", settings.rules().keySet())
                : "rule " + rule.strip().replaceAll("\\s+", " ");
        return settings.mode() == Mode.SHADOW ? what + ", shadow" : what;
    }

    @Override
    public void onLoad(FilterServices services) {
        tally.load(services);
    }

    @Override
    public FilterOutcome filter(FilterExchange exchange) {
        CelVariableResolver variables = Variables.of(exchange);
        for (CelRule rule : rules) {
            String refusal = rule.refusal(variables);
            if (refusal != null) {
                return denied(exchange, rule, refusal);
            }
        }
        tally.count("allowed");
        return FilterOutcome.proceed();
    }

    private FilterOutcome denied(FilterExchange exchange, CelRule rule, String refusal) {
        boolean enforces = settings.mode() == Mode.ENFORCE;
        String result = refusal.equals("is false") ? "denied" : "error";
        tally.count(enforces ? result : "shadow-" + result);
        exchange.getLog().info("{}: rule {} {}", enforces ? "denied" : "would be denied", rule.name(), refusal);
        if (!enforces) {
            return FilterOutcome.proceed();
        }
        return Denials.of(
                exchange, settings.status(), settings.showReason() ? "denied by rule " + rule.name() : "access denied");
    }
}
