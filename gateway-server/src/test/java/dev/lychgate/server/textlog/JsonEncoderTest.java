package dev.lychgate.server.textlog;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.lychgate.chain.LogMark;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonEncoderTest {
    private final LoggerContext context = new LoggerContext();
    private final List<String> lines = new ArrayList<>();
    private final JsonEncoder encoder = new JsonEncoder();
    private Logger logger = context.getLogger("dev.lychgate.Gate");

    @BeforeEach
    void configure() {
        AppenderBase<ILoggingEvent> paper = new AppenderBase<>() {
            @Override
            protected void append(ILoggingEvent event) {
                lines.add(new String(encoder.encode(event), ISO_8859_1));
            }
        };
        paper.start();
        context.getLogger("ROOT").addAppender(paper);
    }

    @AfterEach
    void stop() {
        context.stop();
    }

    /** Returns the only line, which must be one object. */
    private JsonNode line() throws IOException {
        assertThat(lines).singleElement().asString().matches("[ -~]+\n");
        return new ObjectMapper()
                .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
                .readTree(lines.get(0));
    }

    @Test
    void aLineIsAnObject() throws IOException {
        logger.info("up on {}", 8080);

        JsonNode line = line();
        assertThat(line.path("time").asText()).matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z");
        assertThat(line.path("level").asText()).isEqualTo("INFO");
        assertThat(line.path("logger").asText()).isEqualTo("dev.lychgate.Gate");
        assertThat(line.path("thread").asText()).isNotEmpty();
        assertThat(line.path("message").asText()).isEqualTo("up on 8080");
        assertThat(line).hasSize(5);
    }

    @Test
    void aStackTraceIsAStringInItsLine() throws IOException {
        logger.error("failed", new IllegalStateException("on\npurpose", new IOException("cause")));

        JsonNode line = line();
        assertThat(line.path("exception").asText()).isEqualTo("java.lang.IllegalStateException");
        assertThat(line.path("stack_trace").asText())
                .startsWith("java.lang.IllegalStateException: on\npurpose")
                .contains("Caused by: java.io.IOException: cause");
    }

    @Test
    void requestAndRouteHaveSeparateFields() throws IOException {
        LogMark mark = new LogMark("id-1", "api");
        mark.on(logger.atWarn()).addKeyValue("stock", 7).log("{}is low", mark);

        JsonNode line = line();
        assertThat(line.path("message").asText()).isEqualTo("id-1 [api] is low");
        assertThat(line.path("request_id").asText()).isEqualTo("id-1");
        assertThat(line.path("route").asText()).isEqualTo("api");
        assertThat(line.at("/fields/stock").asText()).isEqualTo("7");
        assertThat(line.path("fields")).hasSize(1);
    }

    @Test
    void theLastValueOfADuplicateKeyIsWritten() throws IOException {
        logger.atInfo()
                .addKeyValue("a", 1)
                .addKeyValue("b", (Object) null)
                .addKeyValue("a", 2)
                .log("x");
        assertThat(line().path("fields").toString()).isEqualTo("{\"a\":\"2\",\"b\":\"null\"}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "x\r\n{\"level\":\"ERROR\",\"message\":\"forged\"}",
                "x\",\"forged\":\"",
                "\u001b[2J\u0007\u0000\u007f\u0085\u009b",
                "\u202eforged\u2066\u2028\u2029",
                "\u00ff\u00fe \ud83d\ude00",
                "x\\"
            })
    void noTextLeavesItsField(String hostile) throws IOException {
        logger = context.getLogger("dev.lychgate.filter." + hostile.replace('.', ' '));
        LogMark mark = new LogMark(hostile, hostile);
        mark.on(logger.atError())
                .setCause(new IllegalStateException(hostile))
                .addKeyValue(hostile, hostile)
                .log("{}", hostile);

        JsonNode line = line();
        assertThat(line.path("level").asText()).isEqualTo("ERROR");
        assertThat(line.path("message").asText()).isEqualTo(hostile);
        assertThat(line.path("request_id").asText()).isEqualTo(hostile);
        assertThat(line.path("route").asText()).isEqualTo(hostile);
        assertThat(line.path("fields").path(hostile).asText()).isEqualTo(hostile);
        assertThat(line.path("stack_trace").asText()).contains(hostile);
        assertThat(line.has("forged")).isFalse();
        assertThat(line).hasSize(10);
    }
}
