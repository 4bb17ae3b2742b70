package dev.lychgate.authorization;

import dev.lychgate.config.IpLiteral;
import dev.lychgate.filter.CallResponse;
import dev.lychgate.filter.FilterCall;
import dev.lychgate.filter.FilterExchange;
import dev.lychgate.filter.FilterRequest;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Checks requests with an HTTP service, which decides by the status of its response. The service receives a request
 * with the method, path and query of the client's request. {@code X-Forwarded-*} fields repeat them, because services
 * for {@code auth_request} and forward authentication expect these fields.
 *
 * @see <a href="https://www.envoyproxy.io/docs/envoy/latest/configuration/http/http_filters/ext_authz_filter">External
 *     Authorization</a>
 */
final class HttpCheck implements AuthorizationCheck {
    private static final String REMOVED = "x-envoy-auth-headers-to-remove";
    /** The request fields that the service does not receive, because they would change the form of its response. */
    private static final Set<String> OMITTED = Set.of(
            "accept-encoding",
            "content-type",
            "content-encoding",
            "range",
            "if-match",
            "if-none-match",
            "if-modified-since",
            "if-unmodified-since",
            "if-range");

    private static final byte[] NOTHING = {};

    private final ExtAuthzSettings settings;

    HttpCheck(ExtAuthzSettings settings) {
        this.settings = settings;
    }

    @Override
    public FilterCall call(FilterExchange exchange, byte[] body, boolean truncated) {
        FilterRequest request = exchange.getRequest();
        String target = target(request);
        String method = request.isWebSocket() ? "GET" : request.getMethod();
        FilterCall call = exchange.call(settings.upstream())
                .method(method, settings.path() + target)
                .timeout(settings.timeout())
                .maxBody(LONGEST_RESPONSE);
        CheckedFields.sent(request.getHeaders(), settings.requestHeaders()).forEach((name, value) -> {
            if (!OMITTED.contains(name)) {
                call.header(name, value);
            }
        });
        call.header("x-forwarded-for", IpLiteral.text(exchange.getClientAddress()))
                .header("x-forwarded-proto", request.getScheme())
                .header("x-forwarded-method", method)
                .header("x-forwarded-uri", target);
        if (!request.getHost().isEmpty()) {
            call.header("x-forwarded-host", request.getHost());
        }
        if (settings.withRequestBody().bytes() > 0) {
            String type = request.getHeaders().get("content-type");
            call.body(body, type == null ? "application/octet-stream" : type)
                    .header("x-envoy-auth-partial-body", Boolean.toString(truncated));
        }
        return call;
    }

    /**
     * Returns path and query in visible ASCII. Braces are encoded, because a call-out replaces each pair of braces with
     * an argument.
     */
    private static String target(FilterRequest request) {
        String path = request.getPath().startsWith("/") ? request.getPath() : "/";
        String query = request.getQuery();
        String whole = query == null ? path : path + "?" + query;
        StringBuilder target = new StringBuilder(whole.length());
        for (int i = 0; i < whole.length(); i++) {
            char c = whole.charAt(i);
            boolean plain = c > ' ' && c < 0x7f && c != '{' && c != '}' && c != '#';
            target.append(plain ? String.valueOf(c) : "%%%02X".formatted((int) c & 0xff));
        }
        return target.toString();
    }

    @Override
    public Verdict read(CallResponse response) {
        int status = response.getStatus();
        if (status >= 500) {
            return new Verdict.Missing("status " + status);
        }
        if (status < 300) {
            Map<String, List<String>> fields = new LinkedHashMap<>();
            for (String name : settings.upstreamHeaders()) {
                List<String> values = response.getHeaders().get(name);
                if (values != null) {
                    fields.put(name, values);
                }
            }
            return new Verdict.Allowed(fields, removed(response.getHeaders().get(REMOVED)));
        }
        return denied(response);
    }

    private static List<String> removed(@Nullable List<String> values) {
        return values == null
                ? List.of()
                : values.stream()
                        .flatMap(value -> Stream.of(value.split(",", -1)))
                        .map(name -> name.strip().toLowerCase(Locale.ROOT))
                        .filter(CheckedFields::isRemovable)
                        .toList();
    }

    private Verdict denied(CallResponse response) {
        List<Map.Entry<String, String>> fields = new ArrayList<>();
        for (String name : settings.clientHeaders()) {
            List<String> values = response.getHeaders().get(name);
            if (values != null) {
                values.forEach(value -> fields.add(Map.entry(name, value)));
            }
        }
        // An encoded body would need Content-Encoding, which clients might not accept.
        boolean readable = response.header("content-encoding") == null && response.getBody().length > 0;
        return new Verdict.Denied(
                response.getStatus(),
                fields,
                readable ? response.header("content-type") : null,
                readable ? response.getBody() : NOTHING);
    }
}
