package dev.lychgate.config;

import java.time.Duration;
import java.util.List;

/** What binds a client to the endpoint that has served it before. */
public sealed interface PersistenceConfig {
    /** Nobody is bound. */
    PersistenceConfig NONE = new None();

    /** A word, or a section about a cookie. */
    Form<PersistenceConfig> FORM = Form.section(PersistenceConfig::read)
            .or(Form.words(List.of("none", "client-ip"), word -> word.equals("none") ? NONE : new ClientIp()));

    private static PersistenceConfig read(Key.Values values) {
        values.exactlyOne("cookie", "application-cookie");
        for (String ofCookie : List.of("secure", "same-site", "max-age")) {
            values.excludes(ofCookie, "application-cookie", "what the application says");
        }
        String cookie = values.get(GatewayCookie.COOKIE);
        String application = values.get(ApplicationCookie.APPLICATION_COOKIE);
        String secret = values.get(GatewayCookie.SECRET);
        if (application != null || values.has("application-cookie")) {
            // What else there is of a cookie the application says.
            return new ApplicationCookie(application == null ? "none" : application, secret);
        }
        return new GatewayCookie(
                cookie == null ? "none" : cookie,
                secret,
                values.get(GatewayCookie.SECURE),
                values.get(GatewayCookie.SAME_SITE),
                values.get(GatewayCookie.MAX_AGE));
    }

    /** Nothing does. */
    record None() implements PersistenceConfig {}

    /** Its address does: all of an IPv4 address, the first 64 bits of an IPv6 address. */
    record ClientIp() implements PersistenceConfig {}

    /**
     * A cookie of the gateway's own does.
     */
    record GatewayCookie(String cookie, String secret, boolean secure, SameSite sameSite, Duration maxAge)
            implements PersistenceConfig {
        private static final Key<String> COOKIE = Key.typed("cookie", Form.COOKIE_NAME, null)
                .absent("-")
                .about("a cookie of the gateway's own, of this name; exactly one of `cookie` and `application-cookie`"
                        + " must be there");
        private static final Key<String> SECRET = Key.typed("secret", Form.SECRET, "absent-or-refused")
                .matching(Form.SECRET_RULE)
                .required("a secret, such as ${PERSISTENCE_SECRET}")
                .about("what the values of the cookie are made with; 16 to 256 characters of ASCII without blanks; "
                        + "the same on every gateway that shares clients");
        private static final Key<Boolean> SECURE = Key.flag("secure", false)
                .about("with `cookie`: whether it is for https alone; must be true for a name that begins with `__`");
        private static final Key<SameSite> SAME_SITE = Key.choice("same-site", SameSite.LAX)
                .about("with `cookie`: whether browsers send it with requests that other sites have caused; "
                        + "`none` needs `secure: true`");
        private static final Key<Duration> MAX_AGE = Key.duration("max-age", "0")
                .about("with `cookie`: how long browsers keep it, in whole seconds; `0` = until they end");

        public GatewayCookie {
            COOKIE.check(cookie);
            SECRET.check(secret);
            Expect.that(secure || !cookie.startsWith("__"), "secure", false, "true, as the name of the cookie demands");
            Expect.that(secure || sameSite != SameSite.NONE, "same-site", "none", "secure: true beside it");
            Expect.that(
                    !maxAge.isNegative() && maxAge.toMillis() % 1000 == 0,
                    "max-age",
                    Durations.print(maxAge),
                    "whole seconds (0 = until the browser ends)");
        }

        /** A cookie with every default. */
        public static GatewayCookie of(String cookie, String secret) {
            return new GatewayCookie(cookie, secret, false, SameSite.LAX, Duration.ZERO);
        }

        /** Without the secret. */
        @Override
        public String toString() {
            return "GatewayCookie[cookie=" + cookie + ", secret=***, secure=" + secure + ", sameSite=" + sameSite
                    + ", maxAge=" + maxAge + "]";
        }
    }

    /**
     * A cookie of the application's does, for as long as the application makes it live.
     */
    record ApplicationCookie(String applicationCookie, String secret) implements PersistenceConfig {
        private static final Key<String> APPLICATION_COOKIE = Key.typed("application-cookie", Form.COOKIE_NAME, null)
                .absent("-")
                .about("the application's cookie of this name, for as long as it lives");

        static final Key<String> SECRET = GatewayCookie.SECRET;

        public ApplicationCookie {
            APPLICATION_COOKIE.check(applicationCookie);
            SECRET.check(secret);
        }

        /** Without the secret. */
        @Override
        public String toString() {
            return "ApplicationCookie[applicationCookie=" + applicationCookie + ", secret=***]";
        }
    }
}
