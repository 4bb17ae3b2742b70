package dev.lychgate.zuul;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Runs each case with each request in Zuul and in the gateway. Origin and client receive the same from both, except for the
 * {@link AcceptedDifference accepted differences}.
 */
@Tag("slow")
class DifferentialTest {
    private static final Origins ORIGINS = new Origins();

    @TempDir
    private static Path dir = Path.of("");

    private static Path properties = Path.of("");

    @SuppressWarnings("NullAway.Init") // started before all tests
    private static ZuulProcess zuul;

    @BeforeAll
    static void start() throws IOException {
        properties = Files.writeString(dir.resolve("legacy.properties"), SampleProperties.text(ORIGINS.other()));
        zuul = ZuulProcess.start(properties, ORIGINS.main(), dir.resolve("log"));
    }

    @AfterAll
    static void end() throws IOException {
        zuul.close();
        ORIGINS.close();
    }

    static List<FilterCase> cases() throws IOException {
        return FilterCase.all();
    }

    @ParameterizedTest
    @MethodSource("cases")
    void originAndClientReceiveTheSameAsFromZuul(FilterCase filters) throws Exception {
        Map<String, Object> settings =
                Map.of("properties", properties.toString(), "route-hosts", Map.of(ORIGINS.other(), "users"));
        List<String> differences = new ArrayList<>();
        try (ZuulGateway gateway = ORIGINS.gateway(settings, files(filters))) {
            for (Probe probe : Probe.values()) {
                Outcome expected = ORIGINS.run(zuul.address(), filters, probe);
                Outcome actual = ORIGINS.run(gateway.address(), filters, probe);
                if (!AcceptedDifference.of(filters, probe, expected).equals(actual)) {
                    differences.add(probe + "\nZuul " + expected + "\ngateway " + actual);
                }
            }
        }
        assertThat(differences).isEmpty();
    }

    private static Map<String, String> files(FilterCase filters) throws IOException {
        Map<String, String> files = new LinkedHashMap<>();
        try (Stream<Path> walk = Files.walk(filters.directory())) {
            for (Path file : walk.filter(Files::isRegularFile).sorted().toList()) {
                files.put(filters.directory().relativize(file).toString(), Files.readString(file));
            }
        }
        return files;
    }
}
