package dev.lychgate.config;

import java.time.Duration;

/** What binds a client to the endpoint that has served it before. */
public sealed interface PersistenceConfig {
    /** Nobody is bound. */
    PersistenceConfig NONE = new None();

    /** Nothing does. */
    record None() implements PersistenceConfig {}

    /** Its address does: all of an IPv4 address, the first 64 bits of an IPv6 address. */
    record ClientIp() implements PersistenceConfig {}

    /**
     * A cookie of the gateway's own does.
     *
     * @param cookie its name
     * @param secret what the values of the cookie are made with; the same on every gateway that shares clients
     * @param secure whether it is for https alone; default false
     * @param sameSite whether it comes with requests that other sites have caused; default lax
     * @param maxAge how long a browser keeps it; 0 = until it ends, the default
     */
    record GatewayCookie(String cookie, String secret, boolean secure, SameSite sameSite, Duration maxAge)
            implements PersistenceConfig {
        public GatewayCookie {
            Expect.cookieName("cookie", cookie);
            Expect.secret("secret", secret);
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
     *
     * @param applicationCookie its name
     * @param secret as of {@link GatewayCookie}
     */
    record ApplicationCookie(String applicationCookie, String secret) implements PersistenceConfig {
        public ApplicationCookie {
            Expect.cookieName("application-cookie", applicationCookie);
            Expect.secret("secret", secret);
        }

        /** Without the secret. */
        @Override
        public String toString() {
            return "ApplicationCookie[applicationCookie=" + applicationCookie + ", secret=***]";
        }
    }
}
