package dev.lychgate.server.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lychgate.config.AdminConfig;
import dev.lychgate.config.ConfigException;
import dev.lychgate.config.OperatorConfig;
import dev.lychgate.config.OperatorConfig.Role;
import dev.lychgate.testing.RawMessage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Operators of the admin listener: their names, roles and limits. */
@Tag("slow")
class AdminOperatorsTest extends AdminAsked {
    private static final String VIEWER = "viewer-viewer-viewer";
    private static final String CHANGER = "changer-changer-changer";
    private static final String RECORDER = "recorder-recorder-recorder";
    private static final String TEAM = "team-team-team-team";

    private static final AdminConfig CONFIG = LOCAL.withToken(TOKEN)
            .withOperators(List.of(
                    operator("grafana", VIEWER, List.of(Role.VIEWER), List.of(), List.of(), List.of()),
                    operator("deploy", CHANGER, List.of(Role.OPERATOR), List.of(), List.of(), List.of()),
                    operator("support", RECORDER, List.of(Role.RECORDER), List.of(), List.of(), List.of()),
                    operator(
                            "shop-team",
                            TEAM,
                            List.of(Role.OPERATOR),
                            List.of("shop"),
                            List.of("Shop*"),
                            List.of("shop-*"))));

    private static OperatorConfig operator(
            String name,
            String token,
            List<Role> roles,
            List<String> routes,
            List<String> filters,
            List<String> upstreams) {
        return new OperatorConfig(name, roles, token, null, null, routes, filters, upstreams, Map.of());
    }

    /** Returns the status of a POST; 503 means that the request passed: this source has no running gateway. */
    private int change(AdminServer server, String token, String target) throws Exception {
        return ask(server, post(target, bearer(token))).status();
    }

    private int read(AdminServer server, String token, String target) throws Exception {
        return ask(server, get(target, bearer(token))).status();
    }

    @Test
    void aViewerReadsAndChangesNothing() throws Exception {
        AdminServer server = start(CONFIG, SHORT);

        assertThat(read(server, VIEWER, "/version")).isEqualTo(200);
        assertThat(read(server, VIEWER, "/exchanges")).isEqualTo(403);
        assertThat(read(server, VIEWER, "/exchanges/one?id=x")).isEqualTo(403);
        assertThat(read(server, VIEWER, "/exchanges/recording?id=x")).isEqualTo(403);
        RawMessage answer = ask(server, post("/reload", bearer(VIEWER)));
        assertThat(answer.status()).isEqualTo(403);
        assertThat(answer.body()).contains("urn:lychgate:problem:forbidden", "requires the role operator");
    }

    @Test
    void everyChangeRequiresTheRoleOfAnOperator() throws Exception {
        AdminServer server = start(CONFIG, SHORT);
        List<String> changes = List.of(
                "/reload",
                "/rollback?generation=1",
                "/upstreams/endpoint?upstream=u&endpoint=127.0.0.1:1&state=disabled",
                "/breakers?upstream=u&state=force-open",
                "/filters?phase=inbound&name=F&state=disabled",
                "/log?logger=dev.lychgate.operators&level=inherit",
                "/rollout?action=pause",
                "/drain?exit=true");

        for (String change : changes) {
            assertThat(change(server, VIEWER, change)).as(change).isEqualTo(403);
            assertThat(change(server, RECORDER, change)).as(change).isEqualTo(403);
            assertThat(change(server, CHANGER, change)).as(change).isNotIn(401, 403);
            assertThat(change(server, TOKEN, change)).as(change).isNotIn(401, 403);
        }
    }

    @Test
    void aRecorderReadsExchangesAndChangesNothing() throws Exception {
        AdminServer server = start(CONFIG, SHORT);

        assertThat(read(server, RECORDER, "/exchanges/one?id=x")).isNotIn(401, 403);
        assertThat(read(server, CHANGER, "/exchanges/one?id=x")).isEqualTo(403);
        assertThat(read(server, CHANGER, "/exchanges/recording?id=x")).isEqualTo(403);
        assertThat(read(server, TOKEN, "/exchanges/one?id=x")).isNotIn(401, 403);
        assertThat(change(server, RECORDER, "/reload")).isEqualTo(403);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/upstreams/endpoint?upstream=shop-eu&endpoint=127.0.0.1:1&state=disabled",
                "/breakers?upstream=shop-eu&state=force-open",
                "/filters?phase=inbound&name=ShopQuota&state=disabled&route=shop",
            })
    void aLimitedOperatorChangesWhatItIsLimitedTo(String change) throws Exception {
        assertThat(change(start(CONFIG, SHORT), TEAM, change)).isNotIn(401, 403);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/upstreams/endpoint?upstream=shop&endpoint=127.0.0.1:1&state=disabled",
                "/upstreams/endpoint?upstream=search&endpoint=127.0.0.1:1&state=disabled",
                "/upstreams/endpoint?upstream=shop-eu&upstream=search&endpoint=127.0.0.1:1&state=disabled",
                "/upstreams/endpoint?endpoint=127.0.0.1:1&state=disabled",
                "/breakers?upstream=%73earch&state=force-open",
                "/filters?phase=inbound&name=ShopQuota&state=disabled",
                "/filters?phase=inbound&name=ShopQuota&state=disabled&route=search",
                "/filters?phase=inbound&name=ShopQuota&state=disabled&route=shop-2",
                "/filters?phase=inbound&name=Quota&state=disabled&route=shop",
                "/reload",
                "/rollback?generation=1",
                "/log?logger=dev.lychgate.operators&level=inherit",
                "/drain?ready=false",
            })
    void aLimitedOperatorChangesNothingElse(String change) throws Exception {
        RawMessage answer = ask(start(CONFIG, SHORT), post(change, bearer(TEAM)));

        assertThat(answer.status()).isEqualTo(403);
        assertThat(answer.body()).contains("limited to");
    }

    @Test
    void eachClientReadsItsOwnRolesAndLimits() throws Exception {
        AdminServer server = start(CONFIG, SHORT);

        assertThat(permissions(server, VIEWER))
                .isEqualTo("{\"name\":\"grafana\",\"roles\":[\"viewer\"],\"limits\":{}}");
        assertThat(permissions(server, RECORDER))
                .isEqualTo("{\"name\":\"support\",\"roles\":[\"viewer\",\"recorder\"],\"limits\":{}}");
        assertThat(permissions(server, TEAM))
                .isEqualTo("{\"name\":\"shop-team\",\"roles\":[\"viewer\",\"operator\"],\"limits\":"
                        + "{\"routes\":[\"shop\"],\"filters\":[\"Shop*\"],\"upstreams\":[\"shop-*\"]}}");
        assertThat(permissions(server, TOKEN))
                .as("without a name")
                .isEqualTo("{\"roles\":[\"viewer\",\"operator\",\"recorder\"],\"limits\":{}}");
        assertThat(ask(server, get("/operator")).status()).isEqualTo(401);
    }

    private String permissions(AdminServer server, String token) throws Exception {
        return ask(server, get("/operator", bearer(token))).body().strip();
    }

    @Test
    void theAuditLogNamesTheOperatorAndRefusedChanges() throws Exception {
        AdminServer server = start(CONFIG, SHORT);
        listen();

        change(server, CHANGER, "/reload");
        change(server, VIEWER, "/reload");
        change(server, TOKEN, "/reload");

        assertThat(said().stream().filter(line -> line.contains("action=")))
                .extracting(line -> line.replaceFirst("by=\"[^\"]*\" ", ""))
                .containsExactly(
                        "operator=\"deploy\" proof=\"token\" action=/reload result=503",
                        "operator=\"grafana\" proof=\"token\" action=/reload result=403",
                        "proof=\"token\" action=/reload result=503");
    }

    @Test
    void theAuditLogMasksCredentialsInPredicatesOfFaults() throws Exception {
        AdminServer server = start(CONFIG, SHORT);
        listen();

        change(server, CHANGER, "/faults?name=f&for=1m&abort=503&header=x-a:seen&header=x-api-key:swordfish");

        assertThat(said())
                .anyMatch(line -> line.contains("header=\"x-a:seen\" header=\"x-api-key:***\""))
                .noneMatch(line -> line.contains("swordfish"));
    }

    @Test
    void anotherTokenIsRejectedWithoutAHint() throws Exception {
        AdminServer server = start(CONFIG, SHORT);

        RawMessage answer = ask(server, get("/version", bearer(VIEWER + "x")));
        assertThat(answer.status()).isEqualTo(401);
        assertThat(answer.body()).doesNotContain("grafana");
    }

    @Test
    void eachGenerationReadsTheFilesOfTokens(@TempDir Path home) throws Exception {
        Path file = home.resolve("token");
        Files.writeString(file, VIEWER + "\n");
        OperatorConfig grafana = new OperatorConfig(
                "grafana",
                List.of(Role.VIEWER),
                null,
                file.toString(),
                null,
                List.of(),
                List.of(),
                List.of(),
                Map.of());
        AdminConfig config = LOCAL.withOperators(List.of(grafana));
        AdminServer server = start(config, SHORT);
        assertThat(config.files()).contains(file.toString());
        assertThat(read(server, VIEWER, "/version")).isEqualTo(200);
        assertThat(ask(server, get("/version")).status()).isEqualTo(401);

        Files.writeString(file, RECORDER + "\n");
        server.use(AdminAccess.of(config, server.access()));
        assertThat(read(server, VIEWER, "/version")).isEqualTo(401);
        assertThat(read(server, RECORDER, "/version")).isEqualTo(200);

        Files.delete(file);
        assertThatThrownBy(() -> AdminAccess.of(config, server.access()))
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith("admin.operators[0].token-file: " + file + ": there is no such file");
    }

    @Test
    void twoOperatorsCannotHaveTheSameToken() {
        AdminConfig same = LOCAL.withOperators(List.of(
                operator("a", VIEWER, List.of(Role.VIEWER), List.of(), List.of(), List.of()),
                operator("b", VIEWER, List.of(Role.OPERATOR), List.of(), List.of(), List.of())));

        assertThatThrownBy(() -> AdminAccess.of(same, null))
                .hasMessage("admin.operators[1].token: *** (expected: a token that differs from the token of a)");
        assertThat(same.toString()).doesNotContain(VIEWER);
    }

    @Test
    void aCertificateNeedsAnAuthority() {
        OperatorConfig alice = new OperatorConfig(
                "alice", List.of(Role.VIEWER), null, null, "CN=alice", List.of(), List.of(), List.of(), Map.of());

        assertThatThrownBy(() -> LOCAL.withOperators(List.of(alice)))
                .hasMessage("operators[0].certificate: CN=alice (expected: only together with tls.client-ca)");
    }
}
