package dev.lychgate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.server.cli.LychgateCommand;
import dev.lychgate.server.cli.Signals;
import dev.lychgate.server.cli.Surroundings;
import dev.lychgate.server.engine.DataPlaneEngine;
import dev.lychgate.server.reload.FileGateway;
import dev.lychgate.testing.Certificates;
import dev.lychgate.testing.RefusingPort;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands for a running gateway with an admin listener that requires a certificate. */
@Tag("slow")
class OperatorCertificateTest {
    private final Certificates house = Certificates.authority("House");
    private final Certificates staff = Certificates.authority("Staff");

    @TempDir
    Path home = Path.of("");

    private FileGateway<Lychgate> gateway;
    private String at = "";

    private record Result(int code, String out, String err) {}

    @BeforeEach
    void start() throws Exception {
        Certificates.pem(home, "admin", house.issue("localhost"));
        Certificates.pem(home, "night", staff.issue("night-shift"));
        Certificates.pem(home, "stranger", house.issue("stranger"));
        Certificates.store(home, "day", staff.issue("day-shift"), "sesame-open");
        house.writeCa(home, "house.pem");
        staff.writeCa(home, "staff.pem");
        gateway = FileGateway.start(Files.writeString(home.resolve("gateway.yml"), """
                listeners: [{ name: main, address: "127.0.0.1:0" }]
                admin:
                  address: "127.0.0.1:0"
                  tls: { chain: admin.pem, key: admin.key, client-ca: staff.pem }
                access-log: { format: off }
                """), name -> null, Lychgate::start);
        at = "https://localhost:" + gateway.gateway().adminPort();
    }

    @AfterEach
    void end() {
        gateway.gateway().close();
        gateway.close();
    }

    private String file(String name) {
        return home.resolve(name).toString();
    }

    private Result run(Map<String, String> environment, String... args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int code = LychgateCommand.execute(
                new Surroundings(
                        new DataPlaneEngine(),
                        environment::get,
                        new PrintWriter(out),
                        new PrintWriter(err),
                        thread -> {},
                        Signals.NONE),
                args);
        return new Result(code, out.toString(), err.toString());
    }

    /** Returns the result of {@code explain} with these options at the listener of this gateway. */
    private Result asks(Map<String, String> environment, String... options) {
        List<String> all = new ArrayList<>(List.of("explain", "GET", "/", "--admin", at));
        all.addAll(List.of(options));
        return run(environment, all.toArray(String[]::new));
    }

    @Test
    void aCertificateInPemIsAccepted() {
        Result result =
                asks(Map.of(), "--ca", file("house.pem"), "--cert", file("night.pem"), "--key", file("night.key"));
        assertThat(result.code()).as(result.err()).isZero();
        assertThat(result.out()).startsWith("GET http://localhost/");
    }

    @Test
    void theKeyMayBeInTheFileOfTheCertificate() throws Exception {
        Files.writeString(
                home.resolve("both.pem"),
                Files.readString(home.resolve("night.pem")) + Files.readString(home.resolve("night.key")));
        assertThat(asks(Map.of(), "--ca", file("house.pem"), "--cert", file("both.pem"))
                        .code())
                .isZero();
    }

    @Test
    void aCertificateInAStoreWithAPasswordIsAccepted() {
        Result result = asks(
                Map.of("LYCHGATE_ADMIN_KEY_PASSWORD", "sesame-open"),
                "--ca",
                file("house.pem"),
                "--cert",
                file("day.p12"));
        assertThat(result.code()).as(result.err()).isZero();

        assertThat(asks(Map.of(), "--ca", file("house.pem"), "--cert", file("day.p12"))
                        .err())
                .startsWith("lychgate: --cert: " + file("day.p12") + ": ")
                .contains("password");
    }

    @Test
    void theEnvironmentMaySetAllOptions() {
        Map<String, String> environment = Map.of(
                "LYCHGATE_ADMIN_CA",
                file("house.pem"),
                "LYCHGATE_ADMIN_CERT",
                file("night.pem"),
                "LYCHGATE_ADMIN_KEY",
                file("night.key"));
        Result result = asks(environment);
        assertThat(result.code()).as(result.err()).isZero();
        assertThat(run(environment, "top", "--once", "--admin", at).out()).contains(at + "  ready");

        assertThat(asks(environment, "--cert", file("stranger.pem"), "--key", file("stranger.key"))
                        .err())
                .as("options take precedence, and a certificate of an unrequested authority is not sent")
                .contains("this page requires a certificate");
    }

    @Test
    void requestsWithoutACertificateAreRejected() {
        Result result = asks(Map.of(), "--ca", file("house.pem"));
        assertThat(result.code()).isEqualTo(1);
        assertThat(result.err()).contains("this page requires a certificate");
    }

    @Test
    void invalidFilesAreReportedWithTheirOptions() {
        assertThat(asks(Map.of(), "--ca", file("none.pem")).err())
                .startsWith("lychgate: --ca: " + file("none.pem") + ": there is no such file");
        assertThat(asks(Map.of(), "--cert", file("night.pem"), "--key", file("stranger.key"))
                        .err())
                .startsWith("lychgate: --key: " + file("stranger.key") + ": does not match the certificate in ");
        assertThat(asks(Map.of(), "--cert", file("night.pem")).err())
                .startsWith("lychgate: --key: " + file("night.pem") + ": contains no private key");
        assertThat(asks(Map.of(), "--key", file("night.key")).err())
                .startsWith("lychgate: --key: the certificate of the key is missing");
        assertThat(asks(Map.of(), "--cert", file("day.p12"), "--key", file("night.key"))
                        .err())
                .contains("is a store, which already contains the key");
        assertThat(run(Map.of(), "reload", "--admin", "127.0.0.1:1", "--cert", file("night.pem"))
                        .err())
                .startsWith("lychgate: --cert: TLS is not used with http://127.0.0.1:1");
    }

    @Test
    void failedConnectionsAreReportedWithTheReason() throws Exception {
        String place = at.replace("https://", "");
        assertThat(asks(Map.of()).err())
                .isEqualToIgnoringNewLines("lychgate: no gateway responds at " + at
                        + ": the certificate of the server is not trusted; set the file of its authority with --ca");
        assertThat(run(Map.of(), "reload", "--admin", place).err())
                .contains("no gateway responds at " + place)
                .contains("if the server uses TLS, use --admin https://HOST:PORT");
        assertThat(run(Map.of(), "reload", "--admin", at.replace("localhost", "127.0.0.1"), "--ca", file("house.pem"))
                        .err())
                .contains("the certificate of the server is for another host: ");
        int plain = gateway.gateway().port("main");
        assertThat(run(Map.of(), "reload", "--admin", "https://127.0.0.1:" + plain)
                        .err())
                .contains("the server does not use TLS; use --admin HOST:PORT");
        try (RefusingPort nobody = new RefusingPort()) {
            assertThat(run(
                                    Map.of(),
                                    "reload",
                                    "--admin",
                                    "127.0.0.1:" + nobody.address().getPort())
                            .err())
                    .endsWith(": can't connect" + System.lineSeparator());
        }
    }
}
