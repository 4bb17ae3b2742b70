package dev.lychgate.server.admin;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.lychgate.Lychgate;
import dev.lychgate.server.yaml.ConfigReader;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RawMessage;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** Credentials in predicates of faults appear in no log and no page, and misspelled selectors select nothing. */
class FaultCredentialsTest {
    private static final String SECRET = "swordfish";
    private static final String FAULT = "/faults?name=f&abort=503&for=1m";

    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
    private final Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    private final Logger audit = (Logger) LoggerFactory.getLogger("lychgate.audit");
    private Lychgate gateway;

    @BeforeEach
    void start() throws Exception {
        // Threads of the gateway may log while a test reads the lines.
        lines.list = new CopyOnWriteArrayList<>();
        lines.start();
        root.addAppender(lines);
        audit.setLevel(Level.INFO);
        gateway = Lychgate.start(
                new ConfigReader(name -> null).read("test.yml", """
                        listeners: [{ name: main, address: "127.0.0.1:0" }]
                        admin: { address: "127.0.0.1:0" }
                        access-log: { format: off }
                        routes:
                          - { id: own, match: { path: "/own", headers: { authorization: "Basic swordfish" } }, respond: { status: 200 } }
                          - { id: all, match: { path: "/**" }, respond: { status: 200 } }
                        faults:
                          enabled: true
                          rules:
                            - name: of-file
                              match: { headers: { X-Api-Key: swordfish, x-shown: yes } }
                              abort: 503
                              until: 2099-12-01T12:00:00Z
                        """).config());
    }

    @AfterEach
    void end() {
        gateway.close();
        audit.setLevel(null);
        root.detachAppender(lines);
    }

    private RawMessage send(String request) throws Exception {
        InetSocketAddress admin = new InetSocketAddress(InetAddress.getLoopbackAddress(), gateway.adminPort());
        try (RawClient client = RawClient.connect(admin)) {
            return client.send(request
                            + " HTTP/1.1\r\nHost: localhost\r\nx-lychgate-admin: test\r\nContent-Length: 0\r\n\r\n")
                    .readResponse();
        }
    }

    private String logged() {
        return lines.list.stream().map(ILoggingEvent::getFormattedMessage).collect(Collectors.joining("\n"));
    }

    @Test
    void noLogHasTheValuesOfHeadersWithCredentials() throws Exception {
        RawMessage injected =
                send("POST " + FAULT + "&header=authorization:Bearer%20swordfish&header=cookie:s=swordfish"
                        + "&header=x-shown:yes&header=proxy-authorization:*");
        assertThat(injected.status()).as(injected.body()).isEqualTo(200);
        assertThat(logged())
                .contains(
                        "configured fault is active: of-file",
                        "fault injected by an operator: f",
                        "headers.authorization: ***",
                        "headers.x-api-key: ***",
                        "headers.x-shown: yes",
                        "headers.proxy-authorization: *;",
                        "header=\"authorization:***\"")
                .doesNotContain(SECRET);
    }

    @Test
    void noPageHasThem() throws Exception {
        assertThat(send("GET /routes").body())
                .contains("headers.authorization: ***")
                .doesNotContain(SECRET);
        assertThat(send("GET /explain?url=/own").body())
                .contains("headers.authorization: ***")
                .doesNotContain(SECRET);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "header=authorization%20:Bearer%20swordfish",
                "header=authorization=Bearer%20swordfish",
                "header=authorization=swordfish:x",
                "header=%20authorization:swordfish",
                "header=authorization%09:swordfish",
                "header=authorization%EF%BC%9Aswordfish",
                "header=swordfish",
                "by=header:authorization:swordfish",
                "by=authorization:swordfish",
                "by=cookie:session=swordfish",
                "authorization:swordfish",
                "header%3Aauthorization%3Aswordfish=x"
            })
    void aMalformedSelectorIsRejectedAndMasked(String parameter) throws Exception {
        RawMessage rejected = send("POST " + FAULT + "&" + parameter);
        assertThat(rejected.status()).isEqualTo(400);
        assertThat(rejected.body()).doesNotContain(SECRET);
        assertThat(logged()).contains("action=/faults").doesNotContain(SECRET);
    }

    @Test
    void anUnknownParameterOfAChangeIsRejected() throws Exception {
        assertThat(send("POST " + FAULT + "&routes=all").body())
                .contains("unknown parameter: routes, did you mean 'route'?");
        assertThat(send("POST /faults/stop?name=of-file&color=red").body())
                .contains("unknown parameter: color; see /openapi.json");
        assertThat(send("POST /drain?ready=false&exit-now=1").status()).isEqualTo(400);
        assertThat(send("GET /faults?color=red").body()).contains("of-file").doesNotContain("\"f\"");
    }

    @Test
    void aRepeatedHeaderIsRejected() throws Exception {
        RawMessage rejected = send("POST " + FAULT + "&header=x-a:1&header=X-A:2");
        assertThat(rejected.status()).isEqualTo(400);
        assertThat(rejected.body()).contains("a single value for each header field");
    }
}
