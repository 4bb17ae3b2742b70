package dev.lychgate.config;

import java.util.List;

/**
 * The part of a request that determines which of two generations serves the request during a rollout. All requests in
 * which this part has the same value are served by one generation. If the configured cookie or header field is missing
 * from a request, the address of the client is used in its place.
 */
public sealed interface Stickiness {
    /**
     * Returns the text for messages: {@code client}, {@code request}, {@code cookie sid} or {@code header x-tenant}.
     */
    String describe();

    /** The client's address: the whole IPv4 address, or the first 64 bits of an IPv6 address. */
    record Client() implements Stickiness {
        @Override
        public String describe() {
            return "client";
        }
    }

    /** A random choice for each request, independent of other requests. */
    record Request() implements Stickiness {
        @Override
        public String describe() {
            return "request";
        }
    }

    /** The cookie with this name. */
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

    /** The first header field with this name. */
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

    /** The form in the file: the word {@code client} or {@code request}, or a section with one key. */
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
        // If the value was refused, the client's address replaces it.
        return header != null ? new Header(header) : new Client();
    }
}
