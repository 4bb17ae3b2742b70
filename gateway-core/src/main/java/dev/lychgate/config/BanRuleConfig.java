package dev.lychgate.config;

import java.time.Duration;
import java.util.List;

/**
 * A rule that bans clients by their share of errors.
 *
 * @param errors the client is banned if at least this share of the responses to the client in one period are errors
 * @param statuses the statuses that count as errors: {@code 4xx}, or individual statuses
 * @param requests the minimum number of responses to a client in one period before the client may be banned
 * @param per the length of a period, whole seconds
 * @param length the length of a ban
 */
public record BanRuleConfig(Percent errors, List<String> statuses, int requests, Duration per, Duration length) {
    private static final Key<Percent> ERRORS = Key.percent("errors", "50%")
            .between("1%", "100%")
            .about("the share of errors among the responses to a client in one period at which the client is banned");
    private static final Key<List<String>> STATUSES = Key.typed(
                    "statuses",
                    Form.list(Form.TEXT.matching("4xx|4\\d\\d", "4xx, or a status from \"400\" to \"499\"")),
                    List.of("4xx"))
            .atLeast(1)
            .absent("`[4xx]`")
            .about("the statuses that count as errors: `4xx`, or single statuses such as `\"401\"`");
    private static final Key<Integer> REQUESTS = Key.number("requests", 50)
            .unit("responses")
            .between(1, 1_000_000)
            .about("the minimum number of responses to a client in one period before the client may be banned");
    private static final Key<Duration> PER = Key.duration("per", "10s")
            .between("1s", "1h")
            .about("the length of a period, in whole seconds; it begins with the first response to a client");
    private static final Key<Duration> LENGTH =
            Key.duration("for", "10m").between("1s", "168h").about("the length of a ban");

    static final Keys<BanRuleConfig> KEYS = Keys.of(BanRuleConfig::new, ERRORS, STATUSES, REQUESTS, PER, LENGTH);

    /** The rule that an empty section {@code ban} configures: all keys have their defaults. */
    public static final BanRuleConfig DEFAULT = KEYS.defaults();

    public BanRuleConfig {
        KEYS.check(errors, statuses, requests, per, length);
        statuses = Expect.copy(statuses);
        Expect.that(per.equals(Duration.ofSeconds(per.toSeconds())), "per", Durations.print(per), "whole seconds");
    }

    /** Returns whether a response with {@code status} is an error. */
    public boolean isError(int status) {
        if (status < 400 || status > 499) {
            return false;
        }
        for (String each : statuses) {
            if (each.equals("4xx") || Integer.parseInt(each) == status) {
                return true;
            }
        }
        return false;
    }
}
