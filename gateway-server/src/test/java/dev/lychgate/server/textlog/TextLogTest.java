package dev.lychgate.server.textlog;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import dev.lychgate.filter.FilterLog;
import dev.lychgate.server.applog.OwnLogback;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** Hostile text in the gateway's configuration of Logback. */
class TextLogTest {
    private static final String HEAD = "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}(Z|[+-]\\d\\d:\\d\\d) ";

    private final LoggerContext context = new LoggerContext();
    private final StringBuilder written = new StringBuilder();

    private final TextEncoder encoder = new TextEncoder();

    /** The encoder, with a string in place of standard error. */
    private final AppenderBase<ILoggingEvent> paper = new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
            written.append(new String(encoder.encode(event), UTF_8));
        }
    };

    @BeforeEach
    void configure() throws Exception {
        OwnLogback.begin(context, null);
        paper.start();
    }

    @AfterEach
    void stop() {
        context.stop();
    }

    private Logger logger() {
        Logger logger = context.getLogger("dev.lychgate.Gate");
        logger.setAdditive(false);
        logger.addAppender(paper);
        return logger;
    }

    private List<String> lines() {
        assertThat(written.toString()).endsWith("\n");
        return written.toString().lines().toList();
    }

    @Test
    void aMessageIsALine() {
        logger().info("up on {}", 8080);
        assertThat(lines()).singleElement().asString().matches(HEAD + "INFO  Gate - up on 8080");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\r\nb", "a\nb", "a\rb", "a\n\r\n\nb"})
    void aLineBreakInAMessageStartsNoLine(String forged) {
        logger().warn("got {}", forged);
        assertThat(lines()).singleElement().asString().endsWith(" - got a | b");
    }

    @Test
    void controlCharactersAreEscaped() {
        logger().warn("\u001b[2J\u0007\u0000\t\u007f\u0085\u009b31m\u2028\u2029\u202e\u2066\u200f\u061c\ufeff");
        assertThat(lines())
                .singleElement()
                .asString()
                .endsWith(
                        " - \\u001b[2J\\u0007\\u0000\\u0009\\u007f\\u0085\\u009b31m\\u2028\\u2029\\u202e\\u2066\\u200f\\u061c\\ufeff");
    }

    @Test
    void lettersOfAllLanguagesStay() {
        logger().warn("caf\u00e9 \u65e5\u672c \u05e9 \ud83d\ude00 \\ \"");
        assertThat(lines()).singleElement().asString().endsWith(" - caf\u00e9 \u65e5\u672c \u05e9 \ud83d\ude00 \\ \"");
    }

    @Test
    void aNameOfALoggerStartsNoLine() {
        Logger logger = context.getLogger("dev.lychgate.filter.a\nb\u001b");
        logger.addAppender(paper);
        logger.setAdditive(false);
        logger.info("x");
        assertThat(lines()).singleElement().asString().endsWith("INFO  a | b\\u001b - x");
    }

    @Test
    void aMessageOfAnExceptionIsOneLineAndItsFramesAreOneEach() {
        String forged = "no\r\n\tat dev.lychgate.Forged.frame(Forged.java:1)\n\u001b[31m\u0085x";
        Exception thrown = new IllegalStateException(forged, new IOException("cause\nof\u001b"));
        thrown.addSuppressed(new IllegalArgumentException("beside\rit\u009b"));
        logger().error("failed", thrown);

        assertThat(lines().subList(1, lines().size()))
                .allMatch(
                        line -> line.matches("(\t*at \\S.*|\t*\\.\\.\\. \\d+ common frames omitted|.*Exception: .*)"));
        assertThat(lines())
                .contains(
                        "java.lang.IllegalStateException: no | \tat dev.lychgate.Forged.frame(Forged.java:1) | \\u001b[31m\\u0085x"
                                .replace("\t", "\\u0009"),
                        "Caused by: java.io.IOException: cause | of\\u001b",
                        "\tSuppressed: java.lang.IllegalArgumentException: beside | it\\u009b")
                .filteredOn(line -> line.startsWith("\tat dev.lychgate.server.textlog.TextLogTest."))
                .isNotEmpty();
        assertThat(written).doesNotContain("\u001b", "\r", "\u0085", "\u009b");
    }

    @Test
    @SuppressWarnings("OverrideThrowableToString") // others do
    void anExceptionWithACustomTextIsOneLine() {
        logger().error("failed", new Exception() {
            @Override
            public String toString() {
                return "mine\nforged\u001b";
            }
        });
        assertThat(lines()).contains("mine | forged\\u001b").doesNotContain("forged\u001b");
    }

    @Test
    void circularCausesEnd() {
        Exception one = new IllegalStateException("one\n");
        one.initCause(new IllegalStateException("other\n", one));
        logger().error("failed", one);
        assertThat(lines()).anyMatch(line -> line.contains("CIRCULAR REFERENCE"));
    }

    @Test
    void theLogOfAFilterIsALineToo() {
        Logger logger = (Logger) LoggerFactory.getLogger("dev.lychgate.filter.Textual");
        logger.addAppender(paper);
        try {
            new FilterLog("Textual", "id-1").warn("agent {}", "curl\u001b[2J\r\nforged");
        } finally {
            logger.detachAppender(paper);
        }
        assertThat(lines()).singleElement().asString().endsWith("WARN  Textual - id-1 agent curl\\u001b[2J | forged");
    }
}
