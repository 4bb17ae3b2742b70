package dev.lychgate.server.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TopFrameTest {
    private static final Map<String, String> TROUBLED = Map.of(
            "/version",
            "{'gateway':'1.2.3','java':'25.0.1','uptime_s':7384}",
            "/generation",
            "{'number':7,'since':'2026-01-01T12:00:00.735551059Z'}",
            "/traffic",
            """
            {'seconds':10.2,'routes':[{'id':'-','rate':0,'error_rate':0,'total':3},
            {'id':'api','rate':120.25,'error_rate':1.5,'p50_ms':1.25,'p99_ms':30.06,'total':123456}]}""",
            "/upstreams",
            """
            {'upstreams':[{'name':'api','panic':true,'endpoints':[
            {'endpoint':'10.0.0.1:9000','admin':'enabled','health':'healthy','ejected':false,'share':1.0,'pending':0},
            {'endpoint':'10.0.0.2:9000','admin':'draining','health':'unhealthy','fault':'status 500','ejected':true,
            'share':0.0,'pending':12,'busy':1024,'idle':0,'connecting':3}]}]}""",
            "/breakers",
            """
            {'breakers':[{'upstream':'api','position':'closed','state':'auto','attempts':9,'failures':1,'openings':0},
            {'upstream':'eu','endpoint':'10.1.0.1:9000','position':'half-open','state':'auto','attempts':4,'failures':4,
            'openings':2},{'upstream':'us','position':'closed','state':'force-closed','attempts':0,'failures':0,
            'openings':0}]}""",
            "/listeners",
            """
            {'listeners':[{'name':'main','connections':{'open':5,'most':81,'configured':500}},
            {'name':'tls','connections':{'open':5,'most':500,'configured':500}}]}""",
            "/losses",
            """
            {'losses':[{'kind':'log','name':'access log','recent':0,'total':7,'metric':'lychgate_access_log_dropped_total'},
            {'kind':'receiver','name':'otlp','recent':3,'total':9,'metric':'lychgate_push_failed_tries_total'}]}""",
            "/loops",
            """
            {'loops':[{'thread':'lychgate-1','pending':0,'clients':5,'silent':false,'lag_us':150},
            {'thread':'lychgate-2','pending':40,'clients':6,'silent':true,'filter':'inbound stuck','filter_ms':2500}]}""",
            "/exchanges?reason=failed&limit=5",
            """
            {'exchanges':[{'reason':'failed','time':'2026-01-01T12:00:00Z','id':'a1','method':'GET','host':'h','path':'/x',
            'status':503,'route':'api','error':'circuit-open','ms':0.2}]}""");

    private static Pages pages(Map<String, String> told, Map<String, String> untold) throws IOException {
        Map<String, JsonValue> read = new HashMap<>();
        for (Map.Entry<String, String> page : told.entrySet()) {
            read.put(page.getKey(), JsonValue.of(page.getValue().replace('\'', '"')));
        }
        return new Pages(read, untold);
    }

    private static Pages troubled() throws IOException {
        return pages(TROUBLED, Map.of("/ready", "draining", "/exchanges?reason=slow&limit=5", "too busy for this now"));
    }

    private static List<String> lines(Pages pages, int height, boolean colour) {
        return TopFrame.of("http://127.0.0.1:8081", pages).lines(80, height, colour);
    }

    @Test
    void showsTrafficAndProblems() throws IOException {
        assertThat(String.join("\n", lines(troubled(), Integer.MAX_VALUE, false)))
                .isEqualTo("""
                lychgate 1.2.3 at http://127.0.0.1:8081  NOT READY: draining
                up 2 h 3 min, generation 7 since 2026-01-01T12:00:00Z, Java 25.0.1

                ROUTES, last 10 s                rate/s   errors   p50 ms   p99 ms       total
                api                               120.3     1.2%      1.3     30.1      123456
                -                                   0.0        -        -        -           3

                ENDPOINTS WITH PROBLEMS, of 2
                api  PANIC: too few endpoints are healthy, so all endpoints are used
                api 10.0.0.2:9000  unhealthy (status 500), ejected, draining, share 0%

                REQUESTS THAT WAIT FOR A CONNECTION
                api 10.0.0.2:9000  12 waiting, 1024 busy, 0 idle, 3 connecting

                BREAKERS THAT ARE OPEN OR HELD, of 3
                eu 10.1.0.1:9000  half-open, 4 of 4 attempts failed, opened 2 times
                us  closed (force-closed), 0 of 0 attempts failed, opened 0 times

                LISTENERS BELOW THEIR LIMIT, of 2
                main  81 connections instead of 500: raise ulimit -n

                LOSSES, last minute
                receiver: otlp  3, 9 since the start, lychgate_push_failed_tries_total

                EVENT LOOPS                  lag ms  waiting  clients  in filter
                lychgate-2                   SILENT       40        6  2500 ms inbound stuck
                lychgate-1                      0.2        0        5

                LATEST FAILED (details: lychgate trace ID)
                12:00:00 failed  503       0.2 ms a1 api circuit-open GET h/x

                LATEST SLOW (details: lychgate trace ID)
                not shown: too busy for this now""");
    }

    @Test
    void showsThatThereIsNoProblem() throws IOException {
        Pages well = pages(
                Map.of(
                        "/ready",
                        "{'status':'ready'}",
                        "/upstreams",
                        "{'upstreams':[{'name':'api','endpoints':[{'endpoint':'10.0.0.1:9000','admin':'enabled',"
                                + "'health':'unknown','ejected':false,'pending':0}]}]}",
                        "/breakers",
                        "{'breakers':[{'upstream':'api','position':'closed','state':'auto'}]}",
                        "/listeners",
                        "{'listeners':[{'name':'main','connections':{'most':500,'configured':500}}]}",
                        "/losses",
                        "{'losses':[{'kind':'log','name':'access log','recent':0,'total':7}]}"),
                Map.of());
        assertThat(String.join("\n", lines(well, Integer.MAX_VALUE, false)))
                .contains("http://127.0.0.1:8081  ready")
                .contains("ENDPOINTS WITH PROBLEMS, of 1: none")
                .contains("REQUESTS THAT WAIT FOR A CONNECTION: none")
                .contains("BREAKERS THAT ARE OPEN OR HELD, of 1: none")
                .contains("LISTENERS BELOW THEIR LIMIT, of 1: none")
                .contains("LOSSES, last minute: none");
    }

    @Test
    void listsAnEndpointWithFailingAttemptsEvenWithoutAFailedCheck() throws IOException {
        String endpoint =
                "{'endpoint':'10.0.0.%d:9000','admin':'enabled','health':'unknown','share':0.5,'rate':%s,'error_rate':%s}";
        Pages pages = pages(
                Map.of(
                        "/upstreams",
                        "{'upstreams':[{'name':'api','endpoints':[%s,%s,%s]}]}"
                                .formatted(
                                        endpoint.formatted(1, "20.5", "20.5"),
                                        endpoint.formatted(2, "100", "4.9"),
                                        endpoint.formatted(3, "0", "0"))),
                Map.of());

        assertThat(String.join("\n", lines(pages, Integer.MAX_VALUE, false)))
                .contains("api 10.0.0.1:9000  100% of its attempts fail, share 50%")
                .doesNotContain("10.0.0.2", "10.0.0.3");
    }

    @Test
    void everyColorHasATextWithTheSameMeaning() throws IOException {
        List<String> coloured = lines(troubled(), Integer.MAX_VALUE, true);

        assertThat(coloured).anyMatch(line -> line.startsWith("\033[1;31m") && line.endsWith("\033[0m"));
        assertThat(coloured.stream().map(line -> line.replaceAll("\033\\[[0-9;]*m", "")))
                .containsExactlyElementsOf(lines(troubled(), Integer.MAX_VALUE, false));
    }

    @Test
    void theLongestSectionsAreShortenedOnASmallScreen() throws IOException {
        Map<String, String> told = new HashMap<>(TROUBLED);
        StringBuilder routes = new StringBuilder("{'seconds':10,'routes':[");
        for (int i = 0; i < 300; i++) {
            routes.append("{'id':'route-%d','rate':%d},".formatted(i, i));
        }
        told.put("/traffic", routes.append("{'id':'-'}]}").toString());

        List<String> lines = lines(pages(told, Map.of()), 40, false);
        assertThat(lines).hasSize(40).allMatch(line -> line.length() <= 80);
        assertThat(lines)
                .anyMatch(line -> line.startsWith("route-299 "))
                .noneMatch(line -> line.startsWith("route-0 "));
        assertThat(lines).anyMatch(line -> line.matches("\\.\\.\\. 2\\d\\d more"));
        assertThat(lines).anyMatch(line -> line.startsWith("LATEST FAILED"));
        assertThat(lines(pages(told, Map.of()), 5, false)).hasSize(5);
    }

    @Test
    void aTerminalOfTwentyFourLinesHasRoomForTheRoutes() throws IOException {
        Map<String, String> told = new HashMap<>(TROUBLED);
        told.put("/ready", "{'status':'ready'}");
        told.put("/upstreams", "{'upstreams':[]}");
        told.put("/breakers", "{'breakers':[]}");
        told.put("/listeners", "{'listeners':[]}");
        told.put("/losses", "{'losses':[]}");
        told.put("/exchanges?reason=slow&limit=5", "{'exchanges':[]}");
        told.put(
                "/traffic",
                "{'seconds':10,'routes':[{'id':'a','rate':6},{'id':'b','rate':5},{'id':'c','rate':4},{'id':'d','rate':3},"
                        + "{'id':'e','rate':2},{'id':'f','rate':1},{'id':'-','rate':0}]}");

        List<String> lines = lines(pages(told, Map.of()), 24, false);

        assertThat(lines)
                .hasSizeLessThanOrEqualTo(24)
                .anyMatch(line -> line.startsWith("f  "))
                .anyMatch(line -> line.startsWith("lychgate-1 "))
                .containsSubsequence(
                        "ENDPOINTS WITH PROBLEMS, of 0: none",
                        "REQUESTS THAT WAIT FOR A CONNECTION: none",
                        "BREAKERS THAT ARE OPEN OR HELD, of 0: none",
                        "LISTENERS BELOW THEIR LIMIT, of 0: none",
                        "LOSSES, last minute: none")
                .anyMatch(line -> line.startsWith("12:00:00 failed"))
                .endsWith("LATEST SLOW: none");
    }

    @Test
    void emptyLinesAreOmittedFirst() throws IOException {
        List<String> whole = lines(troubled(), Integer.MAX_VALUE, false);

        assertThat(lines(troubled(), 25, false))
                .containsExactlyElementsOf(
                        whole.stream().filter(line -> !line.isEmpty()).toList());
    }

    @Test
    void anUnavailableGatewayIsReported() {
        assertThat(TopFrame.gone("http://127.0.0.1:8081", "2026-01-01T12:00:00Z", "refused")
                        .lines(200, 24, false))
                .containsExactly(
                        "lychgate at http://127.0.0.1:8081  NO RESPONSE since 2026-01-01T12:00:00Z, retrying",
                        "refused");
    }
}
