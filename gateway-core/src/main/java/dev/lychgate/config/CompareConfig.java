package dev.lychgate.config;

import java.util.List;

/**
 * The comparison of two responses to the same request.
 *
 * @param status whether the statuses are compared
 * @param headers the names of the header fields that are compared
 * @param json the comparison of JSON bodies
 * @param body the maximum length of a body that is compared
 */
public record CompareConfig(boolean status, List<String> headers, Json json, ByteSize body) {
    private static final Key<Boolean> STATUS = Key.flag("status", true)
            .about("whether the statuses are compared; if they differ, nothing else is compared");
    private static final Key<List<String>> HEADERS =
            Key.list("headers", Form.FIELD_NAME).atMost(32).about("the header fields that are compared");
    private static final Key<Json> JSON = Key.section("json", Json.KEYS)
            .about("the comparison of two bodies by value, if both are JSON; other bodies are compared byte by byte");
    private static final Key<ByteSize> BODY = Key.size("body", "256KiB")
            .atMost("1MiB")
            .about("the longest body that is compared; `0` = bodies are not compared");

    static final Keys<CompareConfig> KEYS = Keys.of(CompareConfig::new, STATUS, HEADERS, JSON, BODY);

    public static final CompareConfig DEFAULT = KEYS.defaults();

    public CompareConfig {
        KEYS.check(status, headers, json, body);
        headers = Expect.copy(headers);
    }

    /**
     * The comparison of JSON bodies.
     *
     * @param ignore paths of values that may differ
     */
    public record Json(List<String> ignore) {
        private static final Form.Rule PATH = new Form.Rule(
                "\\$(\\.[A-Za-z_][A-Za-z0-9_-]{0,127}|\\.\\*|\\[\\*]|\\[\\d{1,6}]|\\['[^'\\[\\]]{1,128}'])+",
                "a JSON path such as $.ts, $.items[*].id or $['a key']");
        private static final Key<List<String>> IGNORE = Key.list("ignore", Form.TEXT.matching(PATH))
                .atMost(256)
                .about("the paths of values that may differ, with everything below them: `$.ts`, `$.items[*].id`, "
                        + "`$.items[0]`, `$.*.id` or `$['a key']`");

        static final Keys<Json> KEYS = Keys.of(Json::new, IGNORE);

        public static final Json DEFAULT = KEYS.defaults();

        public Json {
            IGNORE.check(ignore);
            ignore = Expect.copy(ignore);
        }
    }
}
