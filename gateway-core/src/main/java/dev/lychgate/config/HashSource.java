package dev.lychgate.config;

/** What of a request a consistent hash is taken of: requests that agree in it go to the same endpoint. */
public sealed interface HashSource {
    /** The first field of that name. */
    record Header(String name) implements HashSource {
        public Header {
            Expect.fieldName("header", name);
        }
    }

    /** The cookie of that name. */
    record Cookie(String name) implements HashSource {
        public Cookie {
            Expect.cookieName("cookie", name);
        }
    }

    /** The first query parameter of that name, after percent-decoding. */
    record Query(String name) implements HashSource {
        public Query {
            Expect.that(!name.isEmpty(), "query", name, "the name of a query parameter");
        }
    }

    /** The path in its normal form, without the query. */
    record Path() implements HashSource {}

    /** The client's address: all of an IPv4 address, the first 64 bits of an IPv6 address. */
    record ClientIp() implements HashSource {}
}
