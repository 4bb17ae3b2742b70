package dev.lychgate.config;

import java.time.Duration;
import java.util.List;

/** The session persistence, which binds a client to the endpoint that served the client before. */
public sealed interface PersistenceConfig {
    /** No persistence. */
    PersistenceConfig NONE = new None();

    /** The form in the file: the word {@code none} or {@code client-ip}, or a section that describes a cookie. */
    Form<PersistenceConfig> FORM = Form.section(PersistenceConfig::read)
            .or(Form.words(List.of("none", "client-ip"), word -> word.equals("none") ? NONE : new ClientIp()));

    private static PersistenceConfig read(Key.Values values) {
        values.exactlyOne("cookie", "application-cookie");
        for (String ofCookie : List.of("secure", "same-site", "max-age")) {
            values.excludes(ofCookie, "application-cookie", "the attributes that the application sets");
        }
        String cookie = values.get(GatewayCookie.COOKIE);
        String application = values.get(ApplicationCookie.APPLICATION_COOKIE);
        String secret = values.get(GatewayCookie.SECRET);
        if (application != null || values.has("application-cookie")) {
            // The application sets the attributes of its cookie.
            return new ApplicationCookie(application == null ? "none" : application, secret);
        }
        return new GatewayCookie(
                cookie == null ? "none" : cookie,
                secret,
                values.get(GatewayCookie.SECURE),
                values.get(GatewayCookie.SAME_SITE),
                values.get(GatewayCookie.MAX_AGE));
    }

    /** Does not bind clients. */
    record None() implements PersistenceConfig {}

    /** Binds clients by their address: the whole IPv4 address, or the first 64 bits of an IPv6 address. */
    record ClientIp() implements PersistenceConfig {}

    /** Binds clients by a cookie that the gateway sets. */
    record GatewayCookie(String cookie, String secret, boolean secure, SameSite sameSite, Duration maxAge)
            implements PersistenceConfig {
        private static final Key<String> COOKIE = Key.typed("cookie", Form.COOKIE_NAME, null)
                .absent("-")
                .about("the name of a cookie that the gateway sets; exactly one of `cookie` and "
                        + "`application-cookie` is required");
        private static final Key<String> SECRET = Key.typed("secret", Form.SECRET, "absent-or-refused")
                .matching(Form.SECRET_RULE)
                .required("a secret, such as ${PERSISTENCE_SECRET}")
                .about("the secret from which the values of the cookie are computed; 16 to 256 characters of ASCII "
                        + "without blanks; all gateways that serve the same clients need the same secret");
        private static final Key<Boolean> SECURE = Key.flag("secure", false)
                .about("with `cookie`: whether browsers send the cookie only over HTTPS; must be true if the name of "
                        + "the cookie begins with `__`");
        private static final Key<SameSite> SAME_SITE = Key.choice("same-site", SameSite.LAX)
                .about("with `cookie`: whether browsers send the cookie with cross-site requests; `none` needs "
                        + "`secure: true`");
        private static final Key<Duration> MAX_AGE = Key.duration("max-age", "0")
                .about("with `cookie`: the lifetime of the cookie in browsers, in whole seconds; `0` = until the "
                        + "browser closes");

        public GatewayCookie {
            COOKIE.check(cookie);
            SECRET.check(secret);
            Expect.that(
                    secure || !cookie.startsWith("__"),
                    "secure",
                    false,
                    "true, because the name of the cookie begins with __");
            Expect.that(secure || sameSite != SameSite.NONE, "same-site", "none", "only together with secure: true");
            Expect.that(
                    !maxAge.isNegative() && maxAge.toMillis() % 1000 == 0,
                    "max-age",
                    Durations.print(maxAge),
                    "whole seconds (0 = until the browser closes)");
        }

        /** Creates a cookie with the defaults. */
        public static GatewayCookie of(String cookie, String secret) {
            return new GatewayCookie(cookie, secret, false, SameSite.LAX, Duration.ZERO);
        }

        /** Omits the secret. */
        @Override
        public String toString() {
            return "GatewayCookie[cookie=" + cookie + ", secret=***, secure=" + secure + ", sameSite=" + sameSite
                    + ", maxAge=" + maxAge + "]";
        }
    }

    /** Binds clients by a cookie that the application sets, for the lifetime of this cookie. */
    record ApplicationCookie(String applicationCookie, String secret) implements PersistenceConfig {
        private static final Key<String> APPLICATION_COOKIE = Key.typed("application-cookie", Form.COOKIE_NAME, null)
                .absent("-")
                .about("the name of the application's cookie, which binds clients for the lifetime of the cookie");

        static final Key<String> SECRET = GatewayCookie.SECRET;

        public ApplicationCookie {
            APPLICATION_COOKIE.check(applicationCookie);
            SECRET.check(secret);
        }

        /** Omits the secret. */
        @Override
        public String toString() {
            return "ApplicationCookie[applicationCookie=" + applicationCookie + ", secret=***]";
        }
    }
}
