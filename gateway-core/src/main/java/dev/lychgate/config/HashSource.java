package dev.lychgate.config;

import java.util.List;

/**
 * The part of a request from which a consistent hash is computed. All requests with the same value use the same
 * endpoint.
 */
public sealed interface HashSource {
    /** The first header field with this name. */
    record Header(String name) implements HashSource {
        private static final Key<String> NAME =
                Key.typed("header", Form.FIELD_NAME, null).absent("-").about("the first header field of that name");

        public Header {
            NAME.check(name);
        }
    }

    /** The cookie with this name. */
    record Cookie(String name) implements HashSource {
        private static final Key<String> NAME =
                Key.typed("cookie", Form.COOKIE_NAME, null).absent("-").about("the cookie of that name");

        public Cookie {
            NAME.check(name);
        }
    }

    /** The first query parameter with this name, decoded. */
    record Query(String name) implements HashSource {
        private static final Key<String> NAME =
                Key.text("query").absent("-").about("the first query parameter of that name, decoded");

        public Query {
            Expect.that(!name.isEmpty(), "query", name, "the name of a query parameter");
        }
    }

    /** The normalized path, without the query. */
    record Path() implements HashSource {}

    /** The client's address: the whole IPv4 address, or the first 64 bits of an IPv6 address. */
    record ClientIp() implements HashSource {}

    /** The form in the file: the word {@code path} or {@code client-ip}, or a section with one key. */
    Form<HashSource> FORM = Form.section(HashSource::read)
            .or(Form.words(List.of("path", "client-ip"), word -> word.equals("path") ? new Path() : new ClientIp()));

    private static HashSource read(Key.Values values) {
        values.exactlyOne("header", "cookie", "query");
        String header = values.get(Header.NAME);
        String cookie = values.get(Cookie.NAME);
        String query = values.get(Query.NAME);
        if (header != null) {
            return new Header(header);
        }
        if (cookie != null) {
            return new Cookie(cookie);
        }
        // If the value was refused, the path replaces it.
        return query != null ? new Query(query) : new Path();
    }
}
