package dev.lychgate.authorization;

import dev.lychgate.config.ConfigException;
import dev.lychgate.config.Form;
import dev.lychgate.config.Key;
import dev.lychgate.config.Keys;
import dev.lychgate.extension.ContributedFilter;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The settings of {@code cel}.
 *
 * @param rule the only expression; null if {@code rules} contains the expressions
 * @param rules the expressions by name; empty if {@code rule} contains the expression
 */
record CelSettings(
        @Nullable String rule, Map<String, String> rules, Mode mode, int status, boolean showReason, int order) {
    private static final Form<String> EXPRESSION = Form.text("expression", text -> {
        CelCompilation.of(text);
        return text;
    });

    private static final Key<String> RULE = Key.<String>typed("rule", EXPRESSION, null)
            .absent("`rules`")
            .about("the expression; the request continues if the expression is true");
    private static final Key<Map<String, String>> RULES = Key.typed(
                    "rules", Form.mapping(EXPRESSION, "name"), Map.<String, String>of())
            .about("several expressions by name, in place of `rule`; the request continues if all expressions are true."
                    + " The reason for a denial is the name of the first expression that is not true");
    private static final Key<Mode> MODE = Key.choice("mode", Mode.ENFORCE)
            .about("`enforce` = denied requests are rejected; `shadow` = denials are logged and counted, and every"
                    + " request continues");
    private static final Key<Integer> STATUS =
            Key.number("status", 403).between(400, 499).about("the status of the response to denied requests");
    private static final Key<Boolean> SHOW_REASON = Key.flag("show-reason", false)
            .about("whether the response to a denied request contains the name of the rule");

    static final Keys<CelSettings> KEYS =
            Keys.of(CelSettings::new, RULE, RULES, MODE, STATUS, SHOW_REASON, ContributedFilter.ORDER);

    /**
     * Checks the settings.
     *
     * @throws ConfigException if there is no expression, or if {@code rule} and {@code rules} are both present
     */
    CelSettings {
        rules = Collections.unmodifiableMap(new LinkedHashMap<>(rules));
        if (rule != null && !rules.isEmpty()) {
            throw new ConfigException("rule", "set together with rules", "only one of the two");
        }
        if (rule == null && rules.isEmpty()) {
            throw new ConfigException("rule", "missing", "an expression, or the key rules with named expressions");
        }
        for (String name : rules.keySet()) {
            if (!name.matches("[A-Za-z0-9][A-Za-z0-9._-]{0,63}")) {
                throw new ConfigException("rules", name, "names of at most 64 letters, digits, '.', '_' and '-'");
            }
        }
    }

    /** Returns all expressions by name; the expression of {@code rule} has the name {@code rule}. */
    Map<String, String> expressions() {
        return rule == null ? rules : Map.of("rule", rule);
    }
}
