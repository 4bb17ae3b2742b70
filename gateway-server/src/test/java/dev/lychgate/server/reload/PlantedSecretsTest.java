package dev.lychgate.server.reload;

import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.OutputStreamAppender;
import ch.qos.logback.core.encoder.EncoderBase;
import dev.lychgate.server.engine.DataPlaneEngine;
import dev.lychgate.server.recording.Recording;
import dev.lychgate.server.recording.RecordingReader;
import dev.lychgate.server.textlog.JsonEncoder;
import dev.lychgate.server.textlog.TextEncoder;
import dev.lychgate.testing.RawMessage;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** A configuration full of secrets, and filters that print them: no page, log, command or file contains one. */
@Tag("slow")
class PlantedSecretsTest {
    private static final Pattern PATH = Pattern.compile("\"(/[a-z/.]*)\":\\{\"get\"");
    private static final String TRACE = "planted-trace-secret-01";

    @TempDir
    Path home = Path.of("");

    private final ByteArrayOutputStream log = new ByteArrayOutputStream();
    private final List<OutputStreamAppender<ILoggingEvent>> appenders = new ArrayList<>();
    /** Repeats a secret in its responses. */
    private final ScriptedOrigin origin = ScriptedOrigin.answering((request, c) ->
            c.send(Responses.ok("got " + request.value("x-partner").orElse("nothing"))));

    @SuppressWarnings("NullAway.Init") // the first method starts it
    private SecretGateway gateway;

    @BeforeEach
    void start() throws Exception {
        listen(new TextEncoder());
        listen(new JsonEncoder());
        gateway = new SecretGateway(home);
        for (String name : List.of("partner", "greeting", "api", "item", "property", "operator-b")) {
            gateway.secret(name, "planted-" + name + "-value-01");
        }
        gateway.secret("trace", TRACE);
        gateway.secret("binding", "planted-binding-secret-01");
        // No coding of random bytes has its second character.
        gateway.secret("short", "q~z");
        Path filters = Files.createDirectories(home.resolve("filters/inbound"));
        Files.writeString(filters.resolve("Leaky.groovy"), """
                settings {
                    String greeting = ''
                    String pin = ''
                    Secret apiToken = 'none'
                    List<String> names = []
                }
                def token = property('partner-token', 'none')
                if (greeting.endsWith('by-the-filter')) {
                    throw new IllegalArgumentException("the greeting $greeting of $pin is refused")
                }
                filter {
                    it.request.headers['x-leak'] = greeting
                    it.request.headers['x-list'] = names.join(',')
                    it.log.warn('request with {} and {}', apiToken.value(), it.get(token))
                    if (it.request.path == '/fail') {
                        throw new IllegalStateException('failed with ' + greeting,
                                new RuntimeException('because of ' + apiToken.value()))
                    }
                }
                """);
        RolloutFixture.write(gateway.config(), """
                listeners: [{ name: main, address: "127.0.0.1:0" }]
                admin:
                  address: "127.0.0.1:0"
                  operators:
                    - { name: alice, roles: [operator, recorder], token: "${file:secrets/operator}" }
                    - { name: bob, token: "${file:secrets/operator-b}" }
                access-log:
                  format: json
                  file: "%s"
                  headers: { request: [x-leak, x-list, x-partner], response: [x-stamp] }
                history: { generations: 10 }
                record: { file: traffic.rec, rules: [{ share: 100%% }] }
                filters:
                  directory: filters
                  trace: { secret: "${file:secrets/trace}" }
                  properties: { partner-token: "${file:secrets/property}" }
                routes:
                  - id: all
                    match: { path: "/**" }
                    filters:
                      - set-request-header: { name: x-partner, value: "Basic ${file:secrets/partner}" }
                      - set-query-parameter: { name: pass, value: "${file:secrets/partner}" }
                      - Leaky:
                          greeting: "${file:secrets/greeting}"
                          pin: "${file:secrets/short}"
                          api-token: "${file:secrets/api}"
                          names: [plain, "${file:secrets/item}"]
                    upstream: origin
                upstreams:
                  origin:
                    endpoints: ["http://127.0.0.1:%d"]
                    persistence: { cookie: BOUND, secret: "${file:secrets/binding}" }
                """.formatted(home.resolve("access.log"), origin.port()));
        gateway.start();
    }

    private void listen(EncoderBase<ILoggingEvent> encoder) {
        LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
        encoder.setContext(context);
        encoder.start();
        OutputStreamAppender<ILoggingEvent> appender = new OutputStreamAppender<>();
        appender.setContext(context);
        appender.setEncoder(encoder);
        appender.setOutputStream(log);
        appender.start();
        root().addAppender(appender);
        root().setLevel(Level.DEBUG);
        appenders.add(appender);
    }

    private static Logger root() {
        return (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    }

    @AfterEach
    void close() {
        gateway.close();
        origin.close();
        appenders.forEach(root()::detachAppender);
        root().setLevel(Level.WARN);
    }

    private String log() {
        return log.toString(StandardCharsets.UTF_8);
    }

    /** Returns everything in the recording, bodies included. */
    private String recording() throws Exception {
        StringBuilder all = new StringBuilder();
        try (RecordingReader reader = RecordingReader.open(home.resolve("traffic.rec"), null)) {
            for (Recording next = reader.next(); next != null; next = reader.next()) {
                all.append(next);
                if (next.response() != null) {
                    all.append(new String(next.response().body().bytes(), StandardCharsets.UTF_8));
                }
            }
        }
        assertThat(all.toString()).contains("/after", "got ***", "x-partner");
        return all.toString();
    }

    private static void isClean(String what, String text) {
        assertThat(text).as(what).doesNotContain("planted-").doesNotContain("q~z");
    }

    @Test
    void noPageAndNoCommandHasASecret() throws Exception {
        RawMessage traced = gateway.get("/traced", "X-Lychgate-Trace: " + TRACE);
        assertThat(traced.value("x-lychgate-trace").orElse("")).contains("x-leak", "x-partner", "Leaky");
        isClean("the trace", traced.value("x-lychgate-trace").orElse(""));
        assertThat(gateway.get("/fail").status()).isGreaterThanOrEqualTo(200);
        assertThat(origin.awaitRequests(1).get(0).value("x-partner")).contains("Basic planted-partner-value-01");
        gateway.secret("greeting", "planted-greeting-value-02");
        eventually(() -> assertThat(gateway.generation()).isEqualTo(2));

        List<String> pages = new ArrayList<>();
        PATH.matcher(gateway.page("/openapi.json")).results().forEach(path -> pages.add(path.group(1)));
        pages.removeIf(page -> page.endsWith(".stream")); // without an end
        assertThat(pages).contains("/config", "/filters", "/routes", "/history", "/metrics", "/threads", "/exchanges");
        pages.add("/generations/diff?from=1&to=2");
        pages.add("/generations/diff?from=1");
        pages.add("/explain?method=GET&url=/x");
        for (String page : pages) {
            isClean(page, gateway.page(page));
        }
        assertThat(gateway.page("/config"))
                .contains(
                        "\"greeting\":\"***\"",
                        "\"pin\":\"***\"",
                        "\"names\":[\"plain\",\"***\"]",
                        "\"value\":\"***\"");
        assertThat(gateway.page("/filters")).contains("Leaky{", "greeting=***", "pin=***", "names=***");
        // The generation serves shortly before its renewal ends.
        eventually(
                () -> assertThat(gateway.page("/generations/diff?from=1&to=2")).contains("file:secrets/greeting"));

        for (List<String> words : List.of(
                List.of("diff", "1", "2"),
                List.of("history"),
                List.of("explain", "GET", "/x"),
                List.of("filters", "--config", gateway.config().toString()),
                List.of("reload", "--dry-run"))) {
            isClean(words.toString(), gateway.command(words.toArray(String[]::new)));
        }
        for (List<String> words : List.of(
                List.of("check", "--config", gateway.config().toString()),
                List.of("check", "--json", "--config", gateway.config().toString()),
                List.of(
                        "routes",
                        "GET",
                        "http://a/x",
                        "--config",
                        gateway.config().toString()))) {
            String output = Commands.run(new DataPlaneEngine(), words.toArray(String[]::new));
            assertThat(output).as(words.toString()).startsWith("0: ");
            isClean(words.toString(), output);
        }
    }

    @Test
    void noLogAndNoFileHasASecret() throws Exception {
        for (int i = 0; i < 3; i++) {
            gateway.get("/" + i);
        }
        gateway.get("/fail");
        gateway.secret("api", "planted-api-value-02");
        eventually(() -> assertThat(gateway.generation()).isEqualTo(2));
        gateway.get("/after");
        eventually(
                () -> assertThat(Files.readString(home.resolve("access.log"))).contains("\"x-leak\":\"***\""));
        eventually(() -> assertThat(log()).contains("request with *** and ***", "failed with ***", "because of ***"));
        gateway.close();

        isClean("the application log", log());
        isClean("the access log", Files.readString(home.resolve("access.log")));
        isClean("the recording", recording());
        isClean("the history and the kept files", gateway.written());
        assertThat(gateway.written()).contains("${file:secrets/greeting}");
    }

    @Test
    void aRefusalByTheFilterHasNoSecret() throws Exception {
        gateway.secret("greeting", "planted-refused-by-the-filter");
        eventually(() -> assertThat(gateway.page("/generations")).contains("the greeting *** of *** is refused"));
        isClean("/generations", gateway.page("/generations"));
        eventually(() -> assertThat(gateway.page("/history")).contains("the greeting *** of *** is refused"));
        isClean("/history", gateway.page("/history"));
        String reload = gateway.command("reload");
        assertThat(reload).startsWith("1: ").contains("the greeting *** of *** is refused");
        isClean("reload", reload);
        String check = Commands.run(
                new DataPlaneEngine(),
                "check",
                "--json",
                "--config",
                gateway.config().toString());
        assertThat(check).startsWith("78: ").contains("the greeting *** of *** is refused");
        isClean("check", check);
        isClean("the application log", log());
        isClean("the history", gateway.written());
    }
}
