package dev.lychgate.server.recording;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lychgate.filter.Identity;
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
import org.junit.jupiter.params.provider.CsvSource;
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

    @Test
    void keepsTheSenderWithMaskedClaims() throws Exception {
        Request request = request("", Body.EMPTY, new Field("Authorization", "Bearer " + SECRET));
        Identity sender = new Identity(
                "jwt",
                "https://id.example.com",
                "alice",
                Map.of(
                        "api_key", "another-s3cret",
                        "copy", List.of("of " + SECRET, 7),
                        "realm", Map.of("client_secret", "third-s3cret", "role", "admin")));
        Recording raw = new Recording(
                "id",
                1,
                1,
                1,
                new Recording.Place("main", "127.0.0.1", true, 7, "digest", "api", "orders", sender, List.of("orders")),
                request,
                PLAIN,
                List.of(),
                List.of(),
                PLAIN,
                null,
                List.of());
        Recording redacted = RedactedRecording.of(raw, REDACTION, 65_536);
        assertThat(text(redacted))
                .doesNotContain(SECRET)
                .doesNotContain("another-s3cret")
                .doesNotContain("third-s3cret");
        Identity read = RecordingJson.read(RecordingJson.line(redacted)).place().sender();
        assertThat(read).isNotNull();
        assertThat(read.subject()).isEqualTo("alice");
        assertThat(read.claim("realm.role")).isEqualTo("admin");
        assertThat(read.claim("copy")).isEqualTo(List.of("of ***", 7L));
        assertThat(read.claim("api_key")).isEqualTo("***");
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

    /** A value reaches filters decoded, and another place has it in that form. */
    private static void assertMaskedElsewhere(Request request, String asFiltersGetIt) {
        Response echo = new Response(
                200,
                List.of(new Field("x-echo", "was " + asFiltersGetIt)),
                Recordings.body("<p>" + asFiltersGetIt + "</p>"));

        Recording redacted = redacted(request, echo, List.of(), List.of());

        assertThat(text(redacted)).doesNotContain(asFiltersGetIt).contains("was ***");
        assertThat(responseBody(redacted).bytes()).asString(UTF_8).isEqualTo("<p>***</p>");
    }

    @ParameterizedTest
    @ValueSource(strings = {SECRET, "s3cret with blanks, and commas"})
    void masksCookiesElsewhereWithoutTheirQuotationMarks(String value) {
        assertMaskedElsewhere(
                request("", Body.EMPTY, new Field("cookie", "a=1; session = \"" + value + "\" ;b=2")), value);
        assertMaskedElsewhere(request("", Body.EMPTY, new Field("set-cookie", "s=\"" + value + "\"; Path=/")), value);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            voucher=a+b%2Fc%3Dd+e    | a+b/c=d+e
            voucher=a+b%2Fc%3Dd+e    | a b/c=d e
            voucher=s3cret?part#two  | s3cret?part#two
            voucher=s3cret%zzpart    | s3cret%zzpart
            voucher=%E2%82%AC+s3cret | \u20ac+s3cret
            a=1;voucher=s3cret-value | s3cret-value
            """)
    void masksParametersElsewhereAsFiltersGetThem(String query, String value) {
        assertMaskedElsewhere(request("n=1&" + query + "&m=2", Body.EMPTY), value);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"card\":{\"n\":1,\"holder\":{\"number\":\"%s\"}},\"n\":2}",
                "{\"card\":[[],{\"a\":[\"%s\"]}]}",
                "{\"password\":{\"a\":\"b\",\"c\":\"%s\"},\"items\":[{\"pin\":[1]}]}",
                "{\"card\":[\"%s\", 1"
            })
    void masksTextsInMaskedObjectsAndArraysElsewhere(String json) {
        Field type = new Field("content-type", "application/json");

        assertMaskedElsewhere(request("", Recordings.body(json.replace("%s", SECRET)), type), SECRET);
    }

    @Test
    void membersAfterAMaskedObjectKeepTheirPaths() {
        Body body =
                Recordings.body("{\"card\":{\"a\":[{}]},\"b\":{\"card\":[1]},\"items\":[{\"pin\":{\"a\":1},\"n\":2}]}");

        Recording redacted = redacted(request("", body), PLAIN, List.of(), List.of());

        assertThat(redacted.request().body().bytes())
                .asString(UTF_8)
                .isEqualTo("{\"card\":\"***\",\"b\":{\"card\":[1]},\"items\":[{\"pin\":\"***\",\"n\":2}]}");
    }

    @Test
    void masksOverlappingValuesWithoutARest() {
        Request request = request(
                "voucher=AAAAAAAA" + SECRET + "&access_token=" + SECRET + "BBBBBBBB&token=abcabcabc", Body.EMPTY);
        Response echo = new Response(
                200, List.of(new Field("x-echo", "AAAAAAAA" + SECRET + "BBBBBBBB")), Recordings.body("-abcabcabcabc-"));

        Recording redacted = redacted(request, echo, List.of(), List.of());

        assertThat(Objects.requireNonNull(redacted.response()).headers()).containsExactly(new Field("x-echo", "***"));
        assertThat(responseBody(redacted).bytes()).asString(UTF_8).isEqualTo("-***-");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "application/x-www-form-urlencoded; charset=UTF-16LE",
                "application/x-www-form-urlencoded;Charset = \"utf-16le\"",
                "application/x-www-form-urlencoded",
                "text/plain; charset=utf-8; charset=utf-16le",
                "application/json",
                "text/xml"
            })
    void omitsTextsOfWideCharsets(String type) {
        byte[] wide = ("password=" + SECRET).getBytes(StandardCharsets.UTF_16LE);

        Recording redacted = redacted(
                request("", new Body(wide.length, wide, false, null), new Field("Content-Type", type)),
                PLAIN,
                List.of(),
                List.of());

        Body omitted = redacted.request().body();
        assertThat(omitted.bytes()).isEmpty();
        assertThat(omitted.omitted()).contains("charset");
    }

    @ParameterizedTest
    @ValueSource(strings = {"utf-8", "\"UTF8\"", "ISO-8859-15", "latin1", "windows-1252", "US-ASCII", ""})
    void recordsTextsOfCharsetsLikeAscii(String charset) {
        Field type = new Field("content-type", "application/x-www-form-urlencoded; charset=" + charset);

        Recording redacted =
                redacted(request("", Recordings.body("a=1&password=" + SECRET), type), PLAIN, List.of(), List.of());

        assertThat(redacted.request().body().bytes()).asString(UTF_8).isEqualTo("a=1&password=***");
    }

    @Test
    void searchesMaskedValuesInLinearTime() {
        // A search that begins anew at each position would compare 10^12 characters.
        String same = "a".repeat(1 << 20);
        Request request = request("voucher=" + same + "b", Recordings.body(same + same));

        assertThat(redacted(request, PLAIN, List.of(), List.of())
                        .request()
                        .body()
                        .bytes())
                .hasSize(2 << 20);
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
