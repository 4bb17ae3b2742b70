package dev.lychgate.server.recording;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lychgate.server.recording.Recording.Body;
import dev.lychgate.server.recording.Recording.Call;
import dev.lychgate.server.recording.Recording.Change;
import dev.lychgate.server.recording.Recording.Field;
import dev.lychgate.server.recording.Recording.Request;
import dev.lychgate.server.recording.Recording.Response;
import dev.lychgate.server.recording.Recording.Step;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Secrets do not reach a recording. */
class RecordingRedactionTest {
    private static final String SECRET = "pl4nted-s3cret-value";

    private static final RecordingRedaction REDACTION =
            new RecordingRedaction(List.of("x-partner"), List.of("voucher"), List.of("$.card", "$.items[*].pin"));

    private static Recording redacted(Request request, Response origin, List<Call> calls, List<Step> steps) {
        Recording some = Recordings.exchange("id");
        Recording raw =
                new Recording("id", 1, 1, 1, some.place(), request, origin, calls, steps, origin, null, List.of());
        return RedactedRecording.of(raw, REDACTION, 65_536);
    }

    private static Request request(String query, Body body, Field... fields) {
        return new Request("POST", "/", query, "shop.example", List.of(fields), body);
    }

    private static String text(Recording recording) {
        return new String(RecordingJson.line(recording), StandardCharsets.UTF_8);
    }

    private static final Response PLAIN = new Response(200, List.of(), Body.EMPTY);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Authorization",
                "Cookie",
                "Set-Cookie",
                "Proxy-Authorization",
                "X-Api-Key",
                "x-partner",
                "X-Auth-Token",
                "client-secret"
            })
    void masksUsualAndDeclaredFields(String name) {
        Field field = new Field(name, SECRET);
        Request request = request("", Body.EMPTY, field);
        Response response = new Response(200, List.of(field), Body.EMPTY);

        Recording redacted = redacted(request, response, List.of(new Call("u", request, response, null)), List.of());

        assertThat(text(redacted)).doesNotContain(SECRET).contains("***");
        assertThat(redacted.masked()).contains(name.toLowerCase(java.util.Locale.ROOT));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"access_token", "voucher", "VOUCHER", "v%6Fucher", "client-secret", "api_key", "user[password]"})
    void masksUsualAndDeclaredParameters(String name) {
        String query = "a=1&" + name + "=" + SECRET + "&b=2";
        Body form = Recordings.body(query);
        Request request = request(
                query,
                form,
                new Field("content-type", "application/x-www-form-urlencoded"),
                new Field("referer", "https://shop.example/?" + query));

        Recording redacted = redacted(request, PLAIN, List.of(), List.of());

        assertThat(text(redacted)).doesNotContain(SECRET);
        assertThat(redacted.request().query()).startsWith("a=1&").endsWith("&b=2");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"card\":\"%s\",\"n\":1}",
                "{\"n\":1,\"items\":[{\"pin\":\"%s\"},{\"pin\":\"%s\"}]}",
                "{\"user\":{\"password\":\"%s\"}}",
                "{\"card\":{\"number\":\"%s\"}}",
                "{\"card\":[\"%s\"]}",
                "{\"a\":[[{\"token\":\"%s\"}]]}",
                "[{\"secret\":\"%s\"}]",
                "{\"n\":1,\"card\":\"%s",
                "{\"n\":1}{\"card\":\"%s\"}",
                "{\"n\":1,,\"card\":\"%s\"}"
            })
    void masksMembersOfJsonEvenIfItIsCutOffOrMalformed(String body) {
        Field type = new Field("content-type", "application/problem+json");
        Request request = request("", Recordings.body(body.replace("%s", SECRET)), type);

        Recording redacted = redacted(request, PLAIN, List.of(), List.of());

        assertThat(text(redacted)).doesNotContain(SECRET);
    }

    @Test
    void keepsBodiesWithoutSecretsByteForByte() {
        String body = "{ \"n\" : 1.50,\n \"items\":[ ] }";
        Request request = request("a=1", Recordings.body(body), new Field("content-type", "application/json"));

        Recording redacted = redacted(request, PLAIN, List.of(), List.of());

        assertThat(redacted.request().body().bytes())
                .asString(StandardCharsets.UTF_8)
                .isEqualTo(body);
        assertThat(redacted.masked()).isEmpty();
    }

    @Test
    void masksASecretWhereverElseItOccurs() {
        Request request = request("copy=" + SECRET, Body.EMPTY, new Field("Authorization", "Bearer " + SECRET));
        Response echo = new Response(
                200, List.of(new Field("x-echo", "was " + SECRET)), Recordings.body("<p>" + SECRET + "</p>"));
        Step copied = new Step("Copy", "route", 1, 1, "proceed", Map.of("x-user", new Change(null, SECRET)));

        assertThat(text(redacted(request, echo, List.of(), List.of(copied)))).doesNotContain(SECRET);
    }

    @Test
    void masksThePasswordOfBasicAuthenticationInOtherPlaces() {
        String basic =
                java.util.Base64.getEncoder().encodeToString(("alice:" + SECRET).getBytes(StandardCharsets.UTF_8));
        Request request = request("", Body.EMPTY, new Field("Authorization", "Basic " + basic));
        Response echo = new Response(200, List.of(), Recordings.body("hello alice:" + SECRET));

        assertThat(text(redacted(request, echo, List.of(), List.of())))
                .doesNotContain(SECRET)
                .doesNotContain(basic);
    }

    @Test
    void redactsCompressedBodiesAndOmitsOtherCodings() throws IOException {
        ByteArrayOutputStream zipped = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(zipped)) {
            gzip.write(("{\"card\":\"" + SECRET + "\",\"n\":7}").getBytes(StandardCharsets.UTF_8));
        }
        Body body = new Body(zipped.size(), zipped.toByteArray(), false, null);
        Response gzip = new Response(200, List.of(new Field("Content-Encoding", "gzip")), body);
        Response other = new Response(200, List.of(new Field("Content-Encoding", "br")), body);

        Recording first = redacted(request("", Body.EMPTY), gzip, List.of(), List.of());
        Recording second = redacted(request("", Body.EMPTY), other, List.of(), List.of());

        assertThat(text(first)).doesNotContain(SECRET).contains("\\\"n\\\":7");
        Body omitted = responseBody(second);
        assertThat(omitted.bytes()).isEmpty();
        assertThat(omitted.omitted()).isNotNull();
    }

    @Test
    void boundsWhatACompressedBodyBecomes() throws IOException {
        ByteArrayOutputStream zipped = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(zipped)) {
            gzip.write(new byte[10 << 20]);
        }
        Response bomb = new Response(
                200,
                List.of(new Field("content-encoding", "gzip")),
                new Body(zipped.size(), zipped.toByteArray(), false, null));

        Body body = responseBody(redacted(request("", Body.EMPTY), bomb, List.of(), List.of()));

        assertThat(body.bytes()).hasSize(65_536);
        assertThat(body.cut()).isTrue();
    }

    private static Body responseBody(Recording of) {
        return Objects.requireNonNull(of.response()).body();
    }

    @ParameterizedTest
    @ValueSource(strings = {"card", "$", "$.", "$..a.b", "$.a[0]", "$.a..b"})
    void refusesAnUnknownPath(String path) {
        assertThatThrownBy(() -> new RecordingRedaction(List.of(), List.of(), List.of(path)))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
