package dev.lychgate.filters.groovy;

import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.StackTraceElementProxy;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** Stack traces of failed filters in the log: frames of the filter's code without frames of its callers. */
@Tag("slow")
class TracesOfFailuresTest {
    private static final String DYNAMIC = "@groovy.transform.CompileDynamic import java.util.List\n";

    private final Queue<ILoggingEvent> lines = new ConcurrentLinkedQueue<>();
    private final Logger logger = (Logger) LoggerFactory.getLogger("dev.lychgate.exchange");
    private final AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
            if (event.getThrowableProxy() != null) {
                lines.add(event);
            }
        }
    };

    @BeforeEach
    void listen() {
        appender.start();
        logger.addAppender(appender);
        logger.setAdditive(false);
    }

    @AfterEach
    void stopListening() {
        logger.detachAppender(appender);
        logger.setAdditive(true);
    }

    private ILoggingEvent logged(String... pathsAndTexts) throws Exception {
        try (BuiltFilters filters = Sources.build(pathsAndTexts);
                GatewayWithFilters gateway = new GatewayWithFilters(filters)) {
            assertThat(gateway.get().status()).isEqualTo(500);
            eventually(() -> assertThat(lines).isNotEmpty());
        }
        return lines.element();
    }

    private static List<String> frames(IThrowableProxy thrown) {
        return Stream.of(thrown.getStackTraceElementProxyArray())
                .map(StackTraceElementProxy::getStackTraceElement)
                .map(frame -> frame.getClassName() + "(" + frame.getFileName() + ":" + frame.getLineNumber() + ")")
                .toList();
    }

    /** Removes the frames of the JDK above the code of the filter. */
    private static List<String> withoutJdk(List<String> frames) {
        return frames.stream().filter(frame -> !frame.startsWith("java.")).toList();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "filter {\n throw new IOException('x') }",
                "filter {\n Integer.parseInt('x') }",
                "filter { e ->\n [1].each { n -> Integer.parseInt('x') }; null }",
                "filter {\n 1 / 0 }",
                "blocking {\n Integer.parseInt('x') }",
                "async {\n Integer.parseInt('x') }",
                "order 1\nasync { null }",
                "order 1\nasync { e -> 'a text' }",
                "applies {\n throw new IOException('x') }\nfilter { null }",
            })
    void theTraceEndsWithTheLineOfTheFilter(String script) throws Exception {
        ILoggingEvent line = logged("inbound/a.groovy", script);
        assertThat(line.getFormattedMessage()).contains("inbound filter a failed, at a.groovy:2");
        assertThat(withoutJdk(frames(line.getThrowableProxy())))
                .isNotEmpty()
                .allSatisfy(frame -> assertThat(frame).contains("(a.groovy:2)"));
        assertThat(frames(line.getThrowableProxy()).size()).isLessThan(9);
    }

    @Test
    void aFrequentFailureDoesNotHideAnotherOne() throws Exception {
        String script = """
                filter {
                    if (it.request.path == '/other') throw new IOException('other')
                    throw new IllegalStateException('frequent')
                }
                """;
        try (BuiltFilters filters = Sources.build("inbound/a.groovy", script);
                GatewayWithFilters gateway = new GatewayWithFilters(filters)) {
            for (String path : List.of("/", "/", "/other", "/", "/other")) {
                assertThat(gateway.exchange("GET " + path + " HTTP/1.1\r\nHost: a\r\n\r\n")
                                .status())
                        .isEqualTo(500);
            }
            eventually(() -> assertThat(lines)
                    .extracting(line -> line.getThrowableProxy().getMessage())
                    .containsExactlyInAnyOrder("frequent", "other"));
        }
    }

    @Test
    void aTransformThatReturnsNullIsReportedWithTheLineThatAddedIt() throws Exception {
        String script = "filter { e ->\n e.request.transformBody { byte[] piece -> null }\n null }";
        try (BuiltFilters filters = Sources.build("inbound/a.groovy", script);
                GatewayWithFilters gateway = new GatewayWithFilters(filters)) {
            String post = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\nx";
            assertThat(gateway.exchange(post).status()).isEqualTo(500);
            eventually(() -> assertThat(lines).isNotEmpty());
        }
        assertThat(lines.element().getFormattedMessage())
                .contains("inbound filter a failed in its body transform, at a.groovy:2");
        assertThat(lines.element().getThrowableProxy().getMessage()).isEqualTo("the transform returned null");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"filter {\n null.foo() }", "filter { e ->\n e.request.nothing }", "filter {\n 'a'.nothing(1) }"})
    void theTraceOfDynamicCodeHasNoFrameOfGroovysRuntime(String script) throws Exception {
        ILoggingEvent line = logged("inbound/a.groovy", DYNAMIC + script);
        assertThat(line.getFormattedMessage()).contains("inbound filter a failed, at a.groovy:3");
        assertThat(frames(line.getThrowableProxy()).get(0)).contains("(a.groovy:3)");
        assertThat(withoutJdk(frames(line.getThrowableProxy())))
                .allSatisfy(frame -> assertThat(frame).contains("(a.groovy:3)"));
    }

    @Test
    void theLinesOfSharedClassesAreAboveThoseOfTheFilterAndCausesAreShortenedToo() throws Exception {
        ILoggingEvent line = logged(
                "inbound/a.groovy",
                """
                filter {
                    try {
                        Tokens.read('x')
                    } catch (NumberFormatException e) {
                        throw new IllegalStateException('no token', e)
                    }
                }
                """,
                "lib/Tokens.groovy",
                "class Tokens {\n static int read(String text) { Integer.parseInt(text) }\n}");
        assertThat(line.getFormattedMessage()).contains("inbound filter a failed, at a.groovy:3");
        IThrowableProxy thrown = line.getThrowableProxy();
        assertThat(frames(thrown)).allSatisfy(frame -> assertThat(frame).contains("(a.groovy:5)"));
        assertThat(withoutJdk(frames(thrown.getCause())))
                .hasSizeGreaterThanOrEqualTo(2)
                .startsWith("Tokens(Tokens.groovy:2)")
                .last()
                .satisfies(frame -> assertThat(frame).contains("(a.groovy:3)"));
    }
}
