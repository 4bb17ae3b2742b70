package dev.lychgate.config;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A person or program that uses the admin listener: its name in the audit log, its credential, and its permissions. If
 * {@code routes}, {@code filters}, {@code upstreams} and {@code labels} are all empty, the operator may change
 * everything that its roles permit.
 *
 * @param roles at least one role; each role includes {@link Role#VIEWER}
 * @param token the token that the operator's requests contain; null if the operator has a token file or a certificate
 * @param tokenFile a file whose first line is the token
 * @param certificate the subject of the operator's client certificate, in the form of RFC 2253, or one of the
 *     certificate's alternative names
 * @param routes the routes that the operator may change, in the form of {@link #filters}
 * @param filters the filters that the operator may change: names, or prefixes that end with {@code *}
 * @param upstreams the upstreams that the operator may change, in the form of {@link #filters}
 * @param labels the operator may also change the routes that have all of these labels
 */
public record OperatorConfig(
        String name,
        List<Role> roles,
        @Nullable String token,
        @Nullable String tokenFile,
        @Nullable String certificate,
        List<String> routes,
        List<String> filters,
        List<String> upstreams,
        Map<String, String> labels) {
    /** A set of permissions of an operator. */
    public enum Role {
        /** Reads everything except recorded exchanges. */
        VIEWER,
        /** Changes the gateway. */
        OPERATOR,
        /** Reads recorded exchanges, which contain clients' data. */
        RECORDER
    }

    private static final Form<String> NAMES = Form.TEXT.matching(
            "[^*]{1,256}\\*?", "a name, or the beginning of names, followed by an asterisk, such as shop-*");

    private static final Key<String> NAME = Key.typed("name", Form.NAMED, "none")
            .required("the operator's name")
            .unique("a name that no other operator has")
            .about("the name in the audit log");
    private static final Key<List<Role>> ROLES = Key.typed(
                    "roles", Form.list(Form.choice(Role.class)), List.of(Role.VIEWER))
            .about("`viewer` reads, `operator` also changes the gateway, `recorder` also reads recorded "
                    + "exchanges: [roles](admin.md#operators)");
    private static final Key<String> TOKEN = Key.typed("token", Form.SECRET, null)
            .matching(Form.SECRET_RULE)
            .about("the operator's token, in the form of `admin.token`; exactly one of `token`, `token-file` and "
                    + "`certificate`");
    private static final Key<String> TOKEN_FILE = Key.file("token-file")
            .about("a file whose first line is the token; the gateway reads the file again for each generation");
    private static final Key<String> CERTIFICATE = Key.text("certificate")
            .about("the subject of the operator's client certificate, such as `CN=alice,O=Example`, or an "
                    + "alternative name of this certificate; needs `admin.tls.client-ca`");
    private static final Key<List<String>> ROUTES = Key.list("routes", NAMES)
            .about("the ids of the routes that the operator may change, or prefixes such as `shop-*`; if `routes`, "
                    + "`filters`, `upstreams` and `labels` are all missing, changes are not limited");
    private static final Key<List<String>> FILTERS =
            Key.list("filters", NAMES).about("the names of the filters that the operator may change, or prefixes");
    private static final Key<List<String>> UPSTREAMS =
            Key.list("upstreams", NAMES).about("the names of the upstreams that the operator may change, or prefixes");

    private static final Key<Map<String, String>> LABELS = Key.texts("labels", "name")
            .about("labels of routes; in addition to the routes in `routes`, the operator may change each route that "
                    + "has all of these labels");

    private static final Keys<OperatorConfig> KEYS = Keys.of(
            OperatorConfig::new, NAME, ROLES, TOKEN, TOKEN_FILE, CERTIFICATE, ROUTES, FILTERS, UPSTREAMS, LABELS);

    public OperatorConfig {
        KEYS.check(name, roles, token, tokenFile, certificate, routes, filters, upstreams, labels);
        roles = Expect.copy(roles);
        routes = Expect.copy(routes);
        filters = Expect.copy(filters);
        upstreams = Expect.copy(upstreams);
        labels = Expect.copy(labels);
        Expect.that(!roles.isEmpty(), "roles", "[]", "at least one of viewer, operator and recorder");
        long credentials = Stream.of(token != null, tokenFile != null, certificate != null)
                .filter(given -> given)
                .count();
        // If the credential in the file was refused, there is no credential here.
        Expect.that(
                credentials <= 1,
                "token",
                credentials + " credentials",
                "only one of token, token-file and certificate");
    }

    static OperatorConfig read(Key.Values values) {
        values.exactlyOne(TOKEN.name(), TOKEN_FILE.name(), CERTIFICATE.name());
        return KEYS.read(values);
    }

    /** Returns whether the operator may change only some routes, filters or upstreams. */
    public boolean isLimited() {
        return !(routes.isEmpty() && filters.isEmpty() && upstreams.isEmpty() && labels.isEmpty());
    }

    /** Omits the token. */
    @Override
    public String toString() {
        return "OperatorConfig[name=" + name + ", roles=" + roles + ", token=" + (token == null ? "none" : "***")
                + ", tokenFile=" + tokenFile + ", certificate=" + certificate + ", routes=" + routes + ", filters="
                + filters + ", upstreams=" + upstreams + ", labels=" + labels + "]";
    }
}
