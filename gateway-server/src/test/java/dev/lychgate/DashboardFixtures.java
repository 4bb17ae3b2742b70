package dev.lychgate;

import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Constant figures and exchanges, so that the content of a page is predictable. */
final class DashboardFixtures implements Function<String, @Nullable String> {
    private static final String SLOW = """
            {"reason":"slow","time":"2026-01-01T12:00:02.000123Z","id":"5f0c1d2e3f4a5b6c00000001","trace":"4bf92f3577b34da6a3ce929d0e0e4736","method":"GET","host":"shop.example","path":"/orders/42","protocol":"HTTP/1.1","status":200,"route":"orders","listener":"main","client":"127.0.0.1","generation":3,"request_bytes":0,"response_bytes":51200,"ms":1204.112,
            "phases":{"inbound":0.841,"attempts":951.2,"connection":42.3,"connect":39.9,"origin":162.6,"outbound":4.1,"body":43.071},
            "filters":[{"filter":"request-id","stage":"global","at":0.012,"ms":0.204,"outcome":"proceed"},{"filter":"quota","stage":"route","at":0.33,"ms":0.404,"outcome":"proceed"},{"filter":"stamp","stage":"outbound","at":1157.0,"ms":4.0,"outcome":"proceed"}],
            "attempts":[{"upstream":"orders","endpoint":"10.0.0.1:9000","at":0.841,"ms":901.1,"connection_ms":0.0,"reused":true,"failure":"response-timeout"},{"upstream":"orders","endpoint":"10.0.0.2:9000","again":"retry","at":952.041,"ms":252.0,"connection_ms":42.3,"reused":false,"connect_ms":39.9,"answered_at":1156.9,"status":200}]}""";
    private static final String FAILED = """
            {"reason":"failed","time":"2026-01-01T12:00:01.000123Z","id":"5f0c1d2e3f4a5b6c00000002","method":"POST","host":"shop.example","path":"/catalogue/import","protocol":"HTTP/2.0","status":502,"route":"catalogue","listener":"main","client":"127.0.0.1","generation":3,"request_bytes":8192,"response_bytes":140,"error":"connect-refused","side":"upstream","detail":"127.0.0.1:9 refused the connection","ms":1.9,
            "phases":{"inbound":0.2,"connection":1.4,"connect":1.4,"outbound":0.3},"attempts":[{"upstream":"catalogue","endpoint":"127.0.0.1:9","at":0.2,"ms":1.4,"connection_ms":1.4,"failure":"connect-refused"}]}""";

    private final AtomicInteger looks = new AtomicInteger();
    private final SafeChangePages changes = new SafeChangePages("orders", "alice");

    @Override
    public @Nullable String apply(String url) {
        String path = url.replaceFirst("http://[^/]+(/[a-z/]*).*", "$1");
        return switch (path) {
            case "/traffic" -> traffic(looks.getAndIncrement());
            case "/exchanges" ->
                "{\"exchanges\":["
                        + (url.contains("=failed") ? FAILED : url.contains("=slow") ? SLOW : SLOW + "," + FAILED)
                        + "]}";
            case "/exchanges/one" -> url.endsWith("0001") ? SLOW : FAILED;
            case "/listeners" -> listeners();
            case "/loops" -> loops();
            default -> changes.page(path);
        };
    }

    private static String traffic(int look) {
        double wave = 1 + 0.25 * Math.sin(look / 3.0) + 0.1 * Math.sin(look * 1.7);
        return "{\"time\":\"" + Instant.now() + "\",\"seconds\":10,\"routes\":["
                + route("orders", 1234 * wave, 2.5 * wave, 1.2, 9.8) + ","
                + route("catalogue", 310 / wave, 21, 4.1, 1204) + ","
                + route("beta", 12.4 * wave * wave, 0, 0.9, 3.3) + ","
                + "{\"id\":\"home\",\"rate\":0,\"error_rate\":0,\"statuses\":{},\"total\":51},"
                + "{\"id\":\"moved\",\"rate\":0,\"error_rate\":0,\"statuses\":{},\"total\":0},"
                + "{\"id\":\"-\",\"rate\":0.4,\"error_rate\":0,\"p50_ms\":0.04,\"p99_ms\":0.2,\"statuses\":{\"4xx\":4},\"total\":381}"
                + "]}";
    }

    private static String listeners() {
        return "{\"listeners\":[{\"name\":\"main\",\"address\":\"0.0.0.0:8080\","
                + "\"connections\":{\"open\":212,\"accepted\":48211,\"most\":12700,\"configured\":20000}}]}";
    }

    private static String loops() {
        return "{\"loops\":[{\"index\":0,\"pending\":0,\"clients\":107,\"silent\":false,\"lag_us\":41},"
                + "{\"index\":1,\"pending\":2,\"clients\":105,\"silent\":false,\"lag_us\":310}]}";
    }

    private static String route(String id, double rate, double errors, double p50, double p99) {
        return "{\"id\":\"" + id + "\",\"rate\":" + rate + ",\"error_rate\":" + errors + ",\"p50_ms\":" + p50
                + ",\"p99_ms\":"
                + p99 + ",\"statuses\":{\"2xx\":" + Math.round((rate - errors) * 10)
                + (errors > 0 ? ",\"5xx\":" + Math.round(errors * 10) : "") + "},\"total\":" + Math.round(rate * 3600)
                + "}";
    }
}
