package dev.lychgate;

import java.util.Objects;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Pages of a gateway that has every kind of problem, or none, for the dashboard to show. */
final class DashboardProblems implements Function<String, @Nullable String> {
    /** Markup that a client, an origin or a file name could contain to become part of a page. */
    static final String HOSTILE = "<img src=x onerror=window.hacked=1>\"'&";

    /** Escaped as in JSON and JavaScript. */
    static final String HOSTILE_QUOTED = HOSTILE.replace("\"", "\\\"");

    private static final String EXCHANGE = """
            {"reason":"failed","time":"2026-01-01T12:00:01.000123Z","id":"ID","method":"POST","host":"NAME","path":"/NAME","protocol":"HTTP/1.1","status":502,"route":"NAME","listener":"main","client":"127.0.0.1","generation":3,"error":"connect-refused","side":"upstream","detail":"NAME","ms":1.9,"phases":{"inbound":0.2},
            "filters":[{"filter":"NAME","stage":"global","at":0.01,"ms":0.2,"outcome":"proceed"}],
            "attempts":[{"upstream":"NAME","endpoint":"NAME","at":0.2,"ms":1.4,"failure":"connect-refused"}]}""";

    private static final SafeChangePages CHANGES = new SafeChangePages("NAME", "NAME");

    private final UnaryOperator<String> pages;

    private DashboardProblems(UnaryOperator<String> pages) {
        this.pages = pages;
    }

    /** Every kind of problem. */
    static DashboardProblems all() {
        return new DashboardProblems(
                path -> troubled(path).replace("NAME", "api").replace("ID", "5f0c"));
    }

    /** Every kind of problem, with names and messages that contain markup. */
    static DashboardProblems hostile() {
        return new DashboardProblems(
                path -> troubled(path).replace("NAME", HOSTILE_QUOTED).replace("ID", HOSTILE_QUOTED));
    }

    /** No problem. */
    static DashboardProblems none() {
        return new DashboardProblems(DashboardProblems::well);
    }

    @Override
    public @Nullable String apply(String url) {
        String page = pages.apply(url.replaceFirst("http://[^/]+(/[a-z/]*).*", "$1"));
        return page.isEmpty() ? null : page;
    }

    private static String troubled(String path) {
        return pages(path).replace("ROLLOUT", CHANGES.rollout("aborted"));
    }

    private static String pages(String path) {
        return switch (path) {
            case "/traffic" -> """
                {"time":"2026-01-01T12:00:00Z","seconds":10,"routes":[
                {"id":"NAME","rate":100,"error_rate":24,"p50_ms":1.5,"p99_ms":9,"statuses":{"2xx":760,"5xx":240},"total":4000},
                {"id":"shop","rate":50,"error_rate":0.5,"p50_ms":3,"p99_ms":250,"statuses":{"2xx":495,"5xx":5},"total":900},
                {"id":"quiet","rate":0,"error_rate":0,"statuses":{},"total":7}]}""";
            case "/routes" -> """
                {"routes":[{"id":"NAME","predicates":["path /NAME/**"],"action":{"type":"proxy","upstream":"NAME"},"filters":[]},
                {"id":"shop","predicates":["path /cart"],"action":{"type":"proxy","upstream":"goods"},"filters":[]},
                {"id":"quiet","predicates":[],"action":{"type":"respond","status":200},"filters":[]}]}""";
            case "/upstreams" ->
                """
                {"generation":3,"seconds":10,"upstreams":[{"name":"NAME","algorithm":"round-robin","panic":true,
                "endpoints":[%s,%s,%s,%s,%s],"names":[{"name":"NAME","answered":1,"failed":2,"fault":"NAME"}],"protection":{}}]}""".formatted(
                                endpoint("10.0.0.1:9000", "\"health\":\"unhealthy\",\"fault\":\"NAME\"", 12, 12, 0),
                                endpoint("10.0.0.2:9000", "\"ejected\":true", 0, 0, 0),
                                endpoint("10.0.0.3:9000", "\"admin\":\"draining\"", 0, 0, 0),
                                endpoint("10.0.0.4:9000", "\"health\":\"unknown\"", 10, 9, 0),
                                endpoint("10.0.0.5:9000", "\"health\":\"healthy\"", 10, 0, 4));
            case "/breakers" -> """
                {"breakers":[{"upstream":"NAME","position":"open","state":"auto","attempts":40,"failures":30,"openings":2},
                {"upstream":"NAME","endpoint":"10.0.0.1:9000","position":"half-open","state":"auto","attempts":0,"failures":0,"openings":1},
                {"upstream":"goods","position":"closed","state":"force-closed","attempts":0,"failures":0,"openings":0}]}""";
            case "/loops" -> """
                {"loops":[{"index":0,"pending":0,"clients":1,"silent":true,"filter":"NAME","filter_ms":900},
                {"index":1,"pending":0,"clients":1,"silent":false,"lag_us":80000}]}""";
            case "/listeners" -> """
                {"listeners":[{"name":"main","address":"0.0.0.0:80","connections":{"open":95,"accepted":500,"most":100,"configured":100}},
                {"name":"secure","address":"0.0.0.0:443","connections":{"open":1,"accepted":500,"most":100,"configured":500},
                "certificates":[{"name":"NAME","not_after":"2026-01-01T00:00:00Z","days_left":-3},
                {"name":"shop.example","not_after":"2026-01-01T00:00:00Z","days_left":5}]}]}""";
            case "/losses" -> """
                {"losses":[{"kind":"memory","name":"messages refused","recent":12,"total":30,"metric":"lychgate_memory_refused_total"},
                {"kind":"log","name":"access log","recent":4,"total":4,"metric":"lychgate_access_log_dropped_total"},
                {"kind":"log","name":"application log","recent":0,"total":9,"metric":"lychgate_log_dropped_total"},
                {"kind":"receiver","name":"NAME","recent":3,"total":3,"metric":"lychgate_push_failed_tries_total"}]}""";
            case "/filters" -> """
                {"generation":3,"filters":[%s,%s],"ignored":[{"file":"NAME","reason":"its name does not end in .groovy"}]}""".formatted(filter("NAME", true, false), filter("stamp", false, true));
            case "/generations" -> """
                {"kept":[{"number":3,"since":"2026-01-01T12:00:00Z","why":"NAME","running":true}],"pinned":true,"rollout":ROLLOUT,
                "refused":{"when":"2026-01-01T12:00:00Z","faults":["gateway.yml:1:1: NAME","gateway.yml:2:1: too"]}}""";
            case "/cache" -> """
                {"routes":[{"route":"shop","requests":{"hit":90,"miss":10},"hit_ratio":0.9}]}""";
            case "/exchanges" -> "{\"exchanges\":[" + EXCHANGE + "]}";
            case "/exchanges/one" -> EXCHANGE;
            default -> Objects.requireNonNullElse(CHANGES.page(path), "");
        };
    }

    private static String well(String path) {
        return switch (path) {
            case "/traffic" ->
                "{\"time\":\"2026-01-01T12:00:00Z\",\"seconds\":10,\"routes\":[{\"id\":\"api\",\"rate\":100,"
                        + "\"error_rate\":0,\"p50_ms\":1.5,\"p99_ms\":9,\"statuses\":{\"2xx\":1000},\"total\":4000}]}";
            case "/upstreams" ->
                "{\"generation\":3,\"seconds\":10,\"upstreams\":[{\"name\":\"api\",\"algorithm\":\"random\",\"panic\":false,"
                        + "\"endpoints\":[" + endpoint("10.0.0.1:9000", "\"health\":\"healthy\"", 100, 0, 0)
                        + "],\"protection\":{}}]}";
            case "/breakers" ->
                "{\"breakers\":[{\"upstream\":\"api\",\"position\":\"closed\",\"state\":\"auto\",\"attempts\":9,"
                        + "\"failures\":0,\"openings\":0}]}";
            case "/loops" -> "{\"loops\":[{\"index\":0,\"pending\":0,\"clients\":1,\"silent\":false,\"lag_us\":80}]}";
            case "/listeners" ->
                "{\"listeners\":[{\"name\":\"main\",\"address\":\"0.0.0.0:80\",\"connections\":{\"open\":1,"
                        + "\"accepted\":5,\"most\":100,\"configured\":100}}]}";
            case "/losses" ->
                "{\"losses\":[{\"kind\":\"log\",\"name\":\"application log\",\"recent\":0,\"total\":9,"
                        + "\"metric\":\"lychgate_log_dropped_total\"}]}";
            case "/filters" -> "{\"generation\":3,\"filters\":[" + filter("stamp", false, false) + "],\"ignored\":[]}";
            default -> "";
        };
    }

    /**
     * @param known further fields, which replace the fields of a healthy one
     */
    private static String endpoint(String address, String known, int rate, int errors, int pending) {
        String usual = "";
        for (String field : new String[] {"\"health\":\"unknown\"", "\"admin\":\"enabled\"", "\"ejected\":false"}) {
            usual += known.contains(field.substring(0, field.indexOf(':'))) ? "" : "," + field;
        }
        return "{\"endpoint\":\"" + address + "\"," + known + usual + ",\"weight\":1,\"share\":0.2,\"rate\":" + rate
                + ",\"error_rate\":" + errors + ",\"p50_ms\":2.5,\"p99_ms\":31,\"idle\":0,\"busy\":3,\"pending\":"
                + pending
                + "}";
    }

    private static String filter(String name, boolean ejected, boolean disabled) {
        return "{\"phase\":\"outbound\",\"name\":\"" + name + "\",\"form\":\"script\",\"source\":\"" + name
                + "\",\"global\":true,\"routes\":[],\"on_failure\":\"fail-open\",\"ejected\":" + ejected
                + ",\"disabled\":" + disabled
                + ",\"strikes\":3,\"runs\":9,\"micros\":9,\"failures\":0,\"timeouts\":0,\"skipped\":0}";
    }
}
