package dev.lychgate.config;

import java.util.List;

/**
 * The part of a request that decides which of two generations serves it while a rollout runs: requests with the same value
 * get the same generation. A request without the configured cookie or header is decided by its client.
 */
public sealed interface Stickiness {
    /** Returns it as messages show it: {@code client}, {@code request}, {@code cookie sid} or {@code header x-tenant}. */
    String describe();

    /** The client's address: all of an IPv4 address, the first 64 bits of an IPv6 address. */
    record Client() implements Stickiness {
        @Override
        public String describe() {
            return "client";
        }
    }

    /** Every request is decided at random, independently of all others. */
    record Request() implements Stickiness {
        @Override
        public String describe() {
            return "request";
        }
    }

    /** The cookie of that name. */
    record Cookie(String name) implements Stickiness {
        private static final Key<String> NAME =
                Key.typed("cookie", Form.COOKIE_NAME, null).absent("-").about("the cookie of that name");

        public Cookie {
            NAME.check(name);
        }

        @Override
        public String describe() {
            return "cookie " + name;
        }
    }

    /** The first header field of that name. */
    record Header(String name) implements Stickiness {
        private static final Key<String> NAME =
                Key.typed("header", Form.FIELD_NAME, null).absent("-").about("the first header field of that name");

        public Header {
            NAME.check(name);
        }

        @Override
        public String describe() {
            return "header " + name;
        }
    }

    /** A word, or a section of one key. */
    Form<Stickiness> FORM = Form.section(Stickiness::read)
            .or(Form.words(List.of("client", "request"), word -> word.equals("client") ? new Client() : new Request()))
            .printed(Stickiness::describe);

    private static Stickiness read(Key.Values values) {
        values.exactlyOne("cookie", "header");
        String cookie = values.get(Cookie.NAME);
        String header = values.get(Header.NAME);
        if (cookie != null) {
            return new Cookie(cookie);
        }
        // The client replaces a value that was refused.
        return header != null ? new Header(header) : new Client();
    }
}
