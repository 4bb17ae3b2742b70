package dev.lychgate.config;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a recording, which contains whole exchanges for replays.
 *
 * @param file the file of the recording
 * @param rules the rules that select exchanges; an exchange is recorded if at least one rule selects it
 * @param redact the values that are masked in addition to the values that are masked by default
 * @param body the maximum number of bytes that are recorded of each body, from its beginning
 * @param encrypt a file with the encryption key; null for a recording that is not encrypted
 * @param limit the maximum size of the recording, including the older file with the suffix {@code .1}
 */
public record RecordConfig(
        String file,
        List<Rule> rules,
        Redact redact,
        ByteSize body,
        @Nullable String encrypt,
        ByteSize limit) {
    /**
     * A rule that selects exchanges.
     *
     * @param match the predicates of the request; null for all requests
     * @param share the share of the matching exchanges that are recorded regardless of {@code errors} and {@code
     *     slowerThan}; null = all exchanges if both are unset, otherwise none
     * @param errors whether exchanges that failed are recorded
     * @param slowerThan an exchange is recorded if the time to the start of its response exceeds this value; null = no
     *     such condition
     */
    public record Rule(
            @Nullable MatchConfig match,
            @Nullable SampleRate share,
            boolean errors,
            @Nullable Duration slowerThan) {
        private static final Key<MatchConfig> MATCH = Key.section("match", null, MatchConfig::requests)
                .absent("any request")
                .about("the predicates of a request, all of which must match");
        private static final Key<SampleRate> SHARE = Key.typed("share", Form.RATE, null)
                .absent("all matching exchanges; none if errors or slower-than is set")
                .about("the share of the matching exchanges that are recorded regardless of `errors` and "
                        + "`slower-than`");
        private static final Key<Boolean> ERRORS = Key.flag("errors", false)
                .about("whether matching exchanges are recorded if they failed or have status 500 or higher");
        private static final Key<Duration> SLOWER_THAN = Key.typed("slower-than", Form.DURATION, null)
                .positive()
                .absent("no such time")
                .about("matching exchanges are recorded if the time to the start of the response is longer");

        static final Keys<Rule> KEYS = Keys.of(Rule::new, MATCH, SHARE, ERRORS, SLOWER_THAN);

        public Rule {
            KEYS.check(match, share, errors, slowerThan);
        }

        /** Returns the share of matching exchanges that are recorded, from 0 to 1. */
        public double fraction() {
            boolean all = !errors && slowerThan == null;
            return share == null ? (all ? 1 : 0) : share.fraction();
        }
    }

    /** The names and paths of the values that are masked in a recording. */
    public record Redact(List<String> headers, List<String> query, List<String> json) {
        private static final Key<List<String>> HEADERS = Key.typed("headers", Form.list(Form.FIELD_NAME), List.of())
                .atMost(64)
                .about("the header fields to mask in addition to the [fields that are always "
                        + "masked](record-and-replay.md#redaction)");
        private static final Key<List<String>> QUERY = Key.typed(
                        "query",
                        Form.list(Form.TEXT.matching(
                                "[!-~]{1,128}", "the name of a parameter, decoded, in ASCII without blanks")),
                        List.of())
                .atMost(64)
                .about("the parameters of queries and forms to mask in addition to the parameters that are always "
                        + "masked");
        private static final Key<List<String>> JSON = Key.typed(
                        "json",
                        Form.list(Form.TEXT.matching(
                                "\\$(\\.\\.[^.\\[\\]]+|(\\[\\*]|\\.[^.\\[\\]]+)+)",
                                "$.member, $.list[*].member or $..member")),
                        List.of())
                .atMost(64)
                .about("the members of JSON bodies to mask: `$.card`, `$.items[*].key`, or `$..pin` at any depth");

        static final Keys<Redact> KEYS = Keys.of(Redact::new, HEADERS, QUERY, JSON);

        public Redact {
            KEYS.check(headers, query, json);
            headers = Expect.copy(headers);
            query = Expect.copy(query);
            json = Expect.copy(json);
        }
    }

    private static final Key<String> FILE = Key.file("file")
            .required("a file")
            .about("the file to which exchanges are appended; only its owner can read it");
    private static final Key<List<Rule>> RULES = Key.typed("rules", Form.list(Form.section(Rule.KEYS)), List.of())
            .atMost(64)
            .absent("exchanges that failed")
            .about("the rules; an exchange is recorded if at least one rule selects it");
    private static final Key<Redact> REDACT = Key.section("redact", Redact.KEYS)
            .about("values that are masked before they are written, in addition to "
                    + "[values that are always masked](record-and-replay.md#redaction)");
    private static final Key<ByteSize> BODY = Key.size("body", "64KiB")
            .between("0B", "1MiB")
            .about("the maximum length of the recorded beginning of each body; the rest of a longer body is marked as "
                    + "missing");
    private static final Key<String> ENCRYPT = Key.file("encrypt")
            .absent("no encryption")
            .about("a file with a key of 32 bytes, or 64 hexadecimal digits, with which the recording is encrypted");
    private static final Key<ByteSize> LIMIT = Key.size("limit", "1GiB")
            .atLeast("1MiB")
            .about("the maximum length of the recording; at half of this length, the file is renamed with the suffix "
                    + "`.1` and replaces an earlier file of this name");

    static final Keys<RecordConfig> KEYS = Keys.of(RecordConfig::new, FILE, RULES, REDACT, BODY, ENCRYPT, LIMIT);

    public RecordConfig {
        KEYS.check(file, rules, redact, body, encrypt, limit);
        rules = rules.isEmpty() ? List.of(new Rule(null, null, true, null)) : Expect.copy(rules);
    }
}
