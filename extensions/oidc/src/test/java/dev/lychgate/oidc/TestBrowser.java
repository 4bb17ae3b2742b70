package dev.lychgate.oidc;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RawMessage;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Sends requests as a browser does, and keeps cookies. Redirects are followed only on request. */
final class TestBrowser {
    private static final HttpClient PROVIDERS = HttpClient.newHttpClient();
    /** The first login loads classes, and waits for the provider. */
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final InetSocketAddress gateway;
    final Map<String, String> cookies = new TreeMap<>();
    String host = "app.example.com";

    TestBrowser(InetSocketAddress gateway) {
        this.gateway = gateway;
    }

    /** Returns another browser that has stolen the cookies of this one. */
    TestBrowser copy() {
        TestBrowser copy = new TestBrowser(gateway);
        copy.cookies.putAll(cookies);
        return copy;
    }

    /** Opens a page by its URL or path. */
    RawMessage open(String url) throws IOException {
        return send("GET", path(url), Map.of("Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "document"), "");
    }

    /** Requests a resource by a script. */
    RawMessage fetch(String path) throws IOException {
        return send("GET", path, Map.of("Sec-Fetch-Mode", "cors", "Sec-Fetch-Site", "same-origin"), "");
    }

    static String path(String url) {
        URI uri = URI.create(url);
        return uri.getRawPath() + (uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery());
    }

    RawMessage send(String method, String target, Map<String, String> fields, String body) throws IOException {
        StringBuilder request = new StringBuilder(method + " " + target + " HTTP/1.1\r\nHost: " + host + "\r\n");
        new LinkedHashMap<>(fields).forEach((name, value) -> request.append(name + ": " + value + "\r\n"));
        if (!cookies.isEmpty()) {
            request.append("Cookie: ")
                    .append(cookies.entrySet().stream()
                            .map(each -> each.getKey() + "=" + each.getValue())
                            .collect(joining("; ")))
                    .append("\r\n");
        }
        if (!body.isEmpty()) {
            request.append("Content-Length: " + body.length() + "\r\n");
        }
        try (RawClient client = RawClient.connect(gateway).within(PATIENCE)) {
            RawMessage response = client.send(request + "\r\n" + body).readResponseTo(method);
            response.values("set-cookie").forEach(this::store);
            return response;
        }
    }

    private void store(String field) {
        String pair = field.split(";", 2)[0];
        String name = pair.substring(0, pair.indexOf('='));
        assertThat(pair.length()).isLessThanOrEqualTo(4_096);
        if (field.contains("Max-Age=0")) {
            cookies.remove(name);
        } else {
            cookies.put(name, pair.substring(pair.indexOf('=') + 1));
        }
    }

    static String location(RawMessage response) {
        return response.value("location").orElseThrow();
    }

    /** Visits the provider. @return the URL to which it redirects the browser */
    static String visit(String url) throws Exception {
        HttpResponse<String> response =
                PROVIDERS.send(HttpRequest.newBuilder(URI.create(url)).build(), HttpResponse.BodyHandlers.ofString());
        assertThat(response.statusCode()).as(response.body()).isEqualTo(302);
        return response.headers().firstValue("location").orElseThrow();
    }

    /** Opens a page, and logs in. @return the response to the callback */
    RawMessage login(String page) throws Exception {
        RawMessage redirect = open(page);
        assertThat(redirect.status()).as(redirect.body()).isEqualTo(302);
        return open(visit(location(redirect)));
    }

    /** Logs in, and requires success. */
    TestBrowser loggedIn() throws Exception {
        RawMessage response = login("/");
        assertThat(response.status()).as(response.body()).isEqualTo(303);
        return this;
    }

    Set<String> cookieNames() {
        return new TreeSet<>(cookies.keySet());
    }
}
