package dev.lychgate.server.origin;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("slow")
class DemoOriginTest {
    private final DemoOrigin origin = DemoOrigin.start();
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    @AfterEach
    void close() {
        origin.close();
    }

    @Test
    void greets() throws Exception {
        assertThat(get("/any/path").body())
                .isEqualTo("{\"hello\":\"from Lychgate's demo origin\",\"instance\":\"origin\",\"requests\":1}\n");
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 1024, 65_521, 1_000_000, 50_000_000})
    void sendsTheSameBytesEveryTime(long length) throws Exception {
        for (String variant : new String[] {"", "&chunked=true", "&close=true"}) {
            HttpResponse<byte[]> response =
                    client.send(request("/?length=" + length + variant).build(), BodyHandlers.ofByteArray());

            assertThat(response.body()).hasSize((int) length);
            assertThat(sha256(response.body())).as(variant).isEqualTo(sha256OfContent(length));
            assertThat(response.headers().firstValue("transfer-encoding").isPresent())
                    .isEqualTo(variant.contains("chunked"));
        }
    }

    @Test
    void respondsWithTheRequestedStatus() throws Exception {
        for (int status : new int[] {200, 204, 304, 404, 503, 599}) {
            HttpResponse<String> response = get("/?status=" + status);

            assertThat(response.statusCode()).isEqualTo(status);
            assertThat(response.body().isEmpty()).isEqualTo(status == 204 || status == 304);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/?status=100",
                "/?status=999",
                "/?length=-1",
                "/?length=x",
                "/?delay=",
                "/?length=99999999999999"
            })
    void rejectsUnsupportedOptions(String target) throws Exception {
        HttpResponse<String> response = get(target);

        assertThat(response.statusCode()).isEqualTo(400);
        assertThat(response.body()).contains("expected");
    }

    @Test
    void delaysTheResponse() throws Exception {
        long before = System.nanoTime();
        get("/?delay=120&dither=10");

        assertThat(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - before)).isGreaterThanOrEqualTo(120);
    }

    @Test
    void echoesABodyWithAndWithoutALength() throws Exception {
        byte[] body = new byte[3_000_000];
        new Random(1).nextBytes(body);

        for (HttpRequest.BodyPublisher publisher : new HttpRequest.BodyPublisher[] {
            HttpRequest.BodyPublishers.ofByteArray(body),
            HttpRequest.BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(body))
        }) {
            for (String target : new String[] {"/echo", "/x?echo", "/echo?delay=20"}) {
                var response = client.send(request(target).POST(publisher).build(), BodyHandlers.ofByteArray());
                assertThat(response.body()).isEqualTo(body);
            }
        }
        assertThat(get("/echo").body()).isEmpty();
    }

    @Test
    void countsAndSumsAnUpload() throws Exception {
        byte[] body = new byte[2_000_000];

        var response = client.send(
                request("/upload")
                        .PUT(HttpRequest.BodyPublishers.ofByteArray(body))
                        .build(),
                BodyHandlers.ofString());

        assertThat(response.body()).isEqualTo("{\"bytes\":2000000,\"sha256\":\"" + sha256(body) + "\"}\n");
    }

    @Test
    void returnsTheReceivedHeaders() throws Exception {
        assertThat(
                        talk(
                                "GET /headers?a=\"b\" HTTP/1.1\r\nHost: x\r\nX-Odd: a\\b\"c\r\nx-odd: 2\r\nConnection: close\r\n\r\n"))
                .endsWith(
                        "{\"method\":\"GET\",\"target\":\"/headers?a=\\\"b\\\"\",\"version\":\"HTTP/1.1\",\"headers\":["
                                + "{\"name\":\"Host\",\"value\":\"x\"},{\"name\":\"X-Odd\",\"value\":\"a\\\\b\\\"c\"},"
                                + "{\"name\":\"x-odd\",\"value\":\"2\"},{\"name\":\"Connection\",\"value\":\"close\"}]}\n");
    }

    @Test
    void sendsEventsOneByOne() throws Exception {
        long before = System.nanoTime();
        assertThat(get("/events?count=3").body())
                .isEqualTo("data: event 1 of 3\n\ndata: event 2 of 3\n\ndata: event 3 of 3\n\n");
        assertThat(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - before)).isGreaterThanOrEqualTo(400);
    }

    @Test
    void countsRequestsExceptThoseForTheCount() throws Exception {
        get("/");
        get("/?length=5");
        get("/count");

        assertThat(get("/count").body()).isEqualTo("{\"requests\":2}\n");
        assertThat(origin.requests()).isEqualTo(2);
    }

    @Test
    void respondsToPipelinedRequestsInOrder() throws Exception {
        String answers = talk("GET /?length=1&delay=50 HTTP/1.1\r\nHost: x\r\n\r\n"
                + "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc"
                + "HEAD /?length=7 HTTP/1.1\r\nHost: x\r\n\r\n"
                + "GET /?status=404&close=true HTTP/1.1\r\nHost: x\r\n\r\n"
                + "GET /never HTTP/1.1\r\nHost: x\r\n\r\n");

        assertThat(answers.split("HTTP/1.1 "))
                .satisfiesExactly(
                        none -> assertThat(none).isEmpty(),
                        first -> assertThat(first).startsWith("200").contains("content-length: 1\r\n"),
                        second -> assertThat(second).endsWith("\r\n\r\nabc"),
                        third -> assertThat(third)
                                .contains("content-length: 7\r\n")
                                .endsWith("\r\n\r\n"),
                        fourth -> assertThat(fourth)
                                .startsWith("404")
                                .contains("connection: close")
                                .endsWith("status 404\n"));
        assertThat(origin.requests()).isEqualTo(4);
    }

    @Test
    void respondsToThousandsOfPipelinedRequests() throws Exception {
        String answers = talk("GET /?length=0 HTTP/1.1\r\nHost: x\r\n\r\n".repeat(5000)
                + "GET /?close=true HTTP/1.1\r\nHost: x\r\n\r\n");

        assertThat(answers.split("HTTP/1.1 200 OK")).hasSize(5002);
    }

    @Test
    void respondsToManyPipelinedRequestsWhoseResponsesTakeTime() throws Exception {
        for (String target : new String[] {"/events?count=1", "/?length=300000", "/?delay=1"}) {
            String responses = talk(("GET " + target + " HTTP/1.1\r\nHost: x\r\n\r\n").repeat(150)
                    + "GET /?close=true HTTP/1.1\r\nHost: x\r\n\r\n");

            assertThat(responses.split("HTTP/1.1 200 OK")).as(target).hasSize(152);
        }
    }

    @Test
    void keepsConnectionsOfHttp10OnlyOnRequest() throws Exception {
        assertThat(talk("GET /?length=2 HTTP/1.0\r\n\r\n")).contains("connection: close");
        assertThat(
                        talk(
                                "GET /?length=2 HTTP/1.0\r\nConnection: keep-alive\r\n\r\nGET /?length=1&chunked=true HTTP/1.0\r\n\r\n"))
                .contains("connection: keep-alive")
                .contains("connection: close")
                .doesNotContain("chunked");
    }

    @Test
    void responds100ContinueOnRequest() throws Exception {
        assertThat(
                        talk(
                                "PUT /upload?close=true HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\na"))
                .startsWith("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK");
    }

    @Test
    void rejectsOtherProtocols() throws Exception {
        assertThat(talk("\u0001\u0002 nonsense\r\n\r\n"))
                .startsWith("HTTP/1.1 400")
                .contains("connection: close");
    }

    @Test
    void survivesClientsThatDisconnect() throws Exception {
        for (String target : new String[] {"/?delay=5000", "/events", "/?length=100000000", "/echo"}) {
            try (Socket socket = new Socket(origin.address().getAddress(), origin.port())) {
                socket.getOutputStream()
                        .write(("POST " + target + " HTTP/1.1\r\nHost: x\r\nContent-Length: 900\r\n\r\nx")
                                .getBytes(US_ASCII));
                Thread.sleep(20);
            }
        }
        assertThat(get("/").statusCode()).isEqualTo(200);
    }

    @Test
    void closesTwice() {
        origin.close();
        origin.close();
    }

    private HttpRequest.Builder request(String target) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + origin.port() + target));
    }

    private HttpResponse<String> get(String target) throws Exception {
        return client.send(request(target).build(), BodyHandlers.ofString());
    }

    private String talk(String request) throws Exception {
        try (Socket socket = new Socket(origin.address().getAddress(), origin.port())) {
            socket.setSoTimeout(10_000);
            socket.getOutputStream().write(request.getBytes(US_ASCII));
            InputStream in = socket.getInputStream();
            return new String(in.readAllBytes(), US_ASCII);
        }
    }

    private static String sha256OfContent(long length) throws Exception {
        MessageDigest digest = MessageDigest.getInstance("SHA-256");
        for (long offset = 0; offset < length; offset += DemoContent.BLOCK) {
            digest.update(DemoContent.from(offset, Math.min(DemoContent.BLOCK, length - offset))
                    .nioBuffer());
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    private static String sha256(byte[] bytes) throws Exception {
        return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    }
}
