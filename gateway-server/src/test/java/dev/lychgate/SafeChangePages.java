package dev.lychgate;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The pages about rollouts, mirrors, faults and the history of a gateway that has all of them. */
final class SafeChangePages {
    private static final String TRAFFIC =
            "\"exchanges\":%d,\"errors\":%d,\"filter_failures\":%d,\"statuses\":{\"2xx\":%d,\"5xx\":%d},"
                    + "\"rate\":%s,\"p50_ms\":%s,\"p99_ms\":%s";

    private static final String BUDGET =
            "{\"metric\":\"filter-budget\",\"part\":\"NAME is ejected\",\"verdict\":\"abort\","
                    + "\"candidate\":{\"percent\":0,\"exchanges\":0},\"stable\":{\"percent\":0,\"exchanges\":0},"
                    + "\"worse\":0,\"worse_at\":0,\"harmless\":0,\"harmless_at\":0,\"text\":\"filter-budget NAME is ejected\"}";

    private final String name;
    private final String operator;

    /**
     * @param name the name of every route, filter, file and fault, as in JSON
     * @param operator the name of every operator, as in JSON
     */
    SafeChangePages(String name, String operator) {
        this.name = name;
        this.operator = operator;
    }

    private static String ago(long seconds) {
        return Instant.now().minus(Duration.ofSeconds(seconds)).toString();
    }

    private static String in(long seconds) {
        return ago(-seconds);
    }

    /**
     * Returns the JSON of a page; null for a page about another subject.
     *
     * @param path without a query
     */
    @Nullable
    String page(String path) {
        return switch (path) {
            case "/rollout" -> rollout("running");
            case "/mirrors" -> named(mirrors(""));
            case "/mirrors/examples" -> named(mirrors(",\"examples\":[" + example("c5") + "," + example("c4") + "]"));
            case "/faults" -> named(faults());
            case "/history" -> named(history());
            default -> null;
        };
    }

    private String named(String page) {
        return page.replace("NAME", name).replace("WHO", operator);
    }

    /**
     * Returns the JSON of a rollout.
     *
     * @param state running or aborted
     */
    String rollout(String state) {
        return named(candidate(state));
    }

    private static String candidate(String state) {
        boolean runs = state.equals("running");
        String verdict = runs ? "hold" : "abort";
        String change = runs ? "grows to 10%, step 2 of 4, after 1% for 30s" : "is aborted at 10%";
        return """
                {"state":"%s","candidate":8,"stable":7,%s"steps":["1%%","10%%","50%%","100%%"],
                "by":"header x-tenant","why":"filters/outbound/NAME.groovy was written","since":"%s","step_since":"%s","verdict":"%s",
                "findings":[%s],
                "figures":{"candidate":{"generation":8,%s,"routes":{"NAME":{%s},"catalogue":{%s}}},
                "stable":{"generation":7,%s,"routes":{"NAME":{%s},"catalogue":{%s},"-":{%s}}}},
                "reason":"the rollout of generation 8 %s: filter-failures NAME",
                "events":[{"when":"%s","candidate":8,"event":"%s","text":"the rollout of generation 8 %s: filter-failures NAME"},
                {"when":"%s","candidate":8,"event":"begun","text":"the rollout of generation 8 begins with 1%% of the exchanges, step 1 of 4, hold 30s; generation 7 serves the rest (filters/outbound/NAME.groovy was written)"}]}""".formatted(
                        state,
                        runs ? "\"share\":\"10%\",\"step\":2,\"hold_ms\":30000,\"holds_for_ms\":17400," : "",
                        ago(43),
                        ago(13),
                        verdict,
                        findings(verdict),
                        traffic(2041, 9, 12, "156.4", "4.1", "38.2"),
                        traffic(1630, 9, 12, "125", "4.2", "41"),
                        traffic(411, 0, 0, "31.4", "3.1", "12.5"),
                        traffic(18370, 19, 0, "1412", "4", "21.7"),
                        traffic(14600, 19, 0, "1122", "4.1", "22.4"),
                        traffic(3760, 0, 0, "289.6", "3", "12.1"),
                        traffic(10, 0, 0, "0.4", "0.1", "0.2"),
                        change,
                        ago(13),
                        runs ? "step" : "aborted",
                        change,
                        ago(43));
    }

    private static String findings(String verdict) {
        String limited = verdict.equals("abort") ? BUDGET + "," : "";
        return limited
                + String.join(
                        ",",
                        finding("filter-failures", "NAME", "", verdict, "0.59", "0.00", 5.2, 1.4),
                        finding("errors", "", "", "hold", "0.44", "0.10", 2.9, 3.2),
                        finding("errors", "", "\"route\":\"NAME\",", "hold", "0.55", "0.13", 3.1, 2.2),
                        finding("status-shift", "5xx", "", "promote", "0.44", "0.10", 0.4, 9.1),
                        finding("p99", "p50", "", "promote", "49.80", "50.00", 0, 12.7));
    }

    private static String finding(
            String metric,
            String part,
            String route,
            String verdict,
            String candidate,
            String stable,
            double worse,
            double harmless) {
        return "{\"metric\":\"" + metric + "\"," + (part.isEmpty() ? "" : "\"part\":\"" + part + "\",") + route
                + "\"verdict\":\"" + verdict + "\",\"candidate\":{\"percent\":" + candidate
                + ",\"exchanges\":2041},\"stable\":{\"percent\":" + stable + ",\"exchanges\":18370},\"worse\":" + worse
                + ",\"worse_at\":7.4,\"harmless\":" + harmless + ",\"harmless_at\":5.5,\"text\":\"" + metric
                + (part.isEmpty() ? "" : " " + part) + ": candidate " + candidate + "% of 2041 exchanges, stable "
                + stable + "% of 18370 exchanges (evidence " + harmless + ", next step at 5.5)\"}";
    }

    private static String traffic(int exchanges, int errors, int filterFailures, String rate, String p50, String p99) {
        return TRAFFIC.formatted(exchanges, errors, filterFailures, exchanges - errors, errors, rate, p50, p99);
    }

    private static String mirrors(String examples) {
        return """
                {"since":"%s","mirrors":[{"route":"NAME","upstream":"NAME-v2","outcomes":{"response":48211,"failed":3,"timeout":12},
                "dropped":{"body-too-long":31,"concurrency":7},"comparisons":{"equal":47120,"different":1084,"skipped":7},"further":2,
                "differences":[{"kind":"json","subject":"$.NAME","count":1041,"first":"%s","latest":"%s"%s},
                {"kind":"header","subject":"x-name","count":31,"first":"%s","latest":"%s"%s},
                {"kind":"status","subject":"200 -> 404","count":12,"first":"%s","latest":"%s"%s}]}]}""".formatted(
                ago(7200), ago(7100), ago(2), examples, ago(7000), ago(61), examples, ago(600), ago(300), examples);
    }

    private static String example(String id) {
        return "{\"time\":\"" + ago(2) + "\",\"id\":\"5f0c1d2e3f4a5b6c000000" + id
                + "\",\"method\":\"GET\",\"target\":\"/NAME/42\",\"primary\":\"\\\"NAME\\\"\",\"shadow\":\"17.90\"}";
    }

    private static String faults() {
        return """
                {"enabled":true,"faults":[{"name":"NAME","source":"operator","started_by":"WHO","routes":["NAME","catalogue"],"share":"10%%",
                "by":"request","headers":{"x-rehearsal":"NAME"},"predicates":false,"delay":"100ms-300ms","reset":false,"until":"%s"},
                {"name":"thin-pipe","source":"configuration","routes":[],"share":"1%%","by":"client","predicates":true,"abort":503,
                "grpc_status":14,"reset":true,"bandwidth":"16KiB","until":"%s"}]}""".formatted(in(540), in(9000));
    }

    private static String history() {
        String digest = "9b0c2d31f5c1a7e8".repeat(4);
        String author =
                "\"by\":\"admin\",\"operator\":\"WHO\",\"address\":\"10.0.0.7:53112\",\"proof\":\"certificate CN=WHO\"";
        return """
                {"entries":[
                {"previous":"%1$s","number":42,"time":"%2$s","action":"rollout","verdict":"aborted","by":"gateway","from":7,"to":8,
                "milliseconds":0,"reason":"the rollout of generation 8 is aborted at 10%%: NAME","hash":"%1$s"},
                {"previous":"%1$s","number":41,"time":"%3$s","action":"faults","verdict":"accepted",%5$s,
                "arguments":{"name":"slow-api","delay":"NAME"},"milliseconds":1,"hash":"%1$s"},
                {"previous":"%1$s","number":40,"time":"%4$s","action":"reload","verdict":"denied",%5$s,
                "milliseconds":0,"reason":"this change requires the role operator","hash":"%1$s"},
                {"previous":"%1$s","number":39,"time":"%4$s","action":"reload","verdict":"accepted","by":"watch","from":6,"to":7,
                "files":[{"path":"filters:outbound/NAME.groovy","change":"changed","sha256":"%1$s"},
                {"path":"gateway.yml","change":"changed","sha256":"%1$s"}],"more_files":2,"kept":"%1$s",
                "milliseconds":210,"reason":"the filter directory was written","hash":"%1$s"}]}""".formatted(digest, ago(20), ago(600), ago(86000), author);
    }
}
