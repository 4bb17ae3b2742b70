package dev.lychgate.config;

import java.util.Map;

/**
 * Selects the priority of a request by one of the request's values, such as a header field that a filter sets. A
 * request without the value, or with a value that is not listed, has the priority of its route.
 *
 * @param key the part of the request
 * @param values maps values of this part to priorities from 0 to 9
 */
public record PriorityConfig(LimitKey key, Map<String, Integer> values) {
    private static final LimitKey REPLACED = new LimitKey(LimitKey.Source.HEADER, "x-priority");
    private static final Form<LimitKey> NAMED =
            LimitKey.FORM.looking("(header|cookie):[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}|(query|claim):.{1,128}");

    private static final Key<LimitKey> KEY = Key.typed("key", NAMED, REPLACED)
            .required("header:NAME, cookie:NAME, query:NAME or claim:NAME")
            .about("the header field, cookie, query parameter or claim, such as `header:x-tier` or `claim:tier`; the "
                    + "gateway reads the value after all request filters have run");
    private static final Key<Map<String, Integer>> VALUES = Key.typed(
                    "values",
                    Form.mapping(
                            Form.NUMBER.within(new Form.Range(0, RouteResilience.HIGHEST_PRIORITY, false)), "value"),
                    Map.of("-", 0))
            .required("at least one value with its priority")
            .about("the priority for each value, 0 to 9");

    static final Keys<PriorityConfig> KEYS = Keys.of(PriorityConfig::new, KEY, VALUES);

    public PriorityConfig {
        values = Expect.copy(values);
        Expect.that(!values.isEmpty(), "values", "{}", "at least one value with its priority");
        Expect.that(key.source().isNamed(), "key", key, "header:NAME, cookie:NAME, query:NAME or claim:NAME");
        values.forEach((value, priority) -> Expect.that(
                priority >= 0 && priority <= RouteResilience.HIGHEST_PRIORITY, "values." + value, priority, "0 to 9"));
    }
}
