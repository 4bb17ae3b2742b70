package dev.lychgate.route;

import dev.lychgate.config.Cidr;
import dev.lychgate.config.MatchConfig;
import dev.lychgate.config.SecretNames;
import dev.lychgate.http.Cookies;
import dev.lychgate.http.QueryParameters;
import dev.lychgate.http.RequestHead;
import io.netty.handler.codec.http.HttpMethod;
import java.net.InetAddress;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

/** One condition of a route. Immutable and thread-safe; does not change the request. */
interface RoutePredicate {
    boolean test(RequestHead head, Ingress ingress);

    /** Returns whether this predicate certainly matches every request that {@code held} matches. */
    default boolean coveredBy(RoutePredicate held) {
        return false;
    }

    /** Returns whether the result depends on the sender of the request: on the client's address, or on claims. */
    default boolean readsSender() {
        return false;
    }

    /**
     * Returns the condition as a text for operators, such as {@code methods: GET, POST}. Values that may be credentials
     * are masked.
     */
    String describe();

    /** Returns the condition as an unmasked text, for comparisons only. Equal predicates have equal texts. */
    default String exactly() {
        return describe();
    }

    /** Matches requests whose host matches one of these patterns. */
    record Hosts(List<HostPattern> hosts) implements RoutePredicate {
        @Override
        public boolean test(RequestHead head, Ingress ingress) {
            for (HostPattern host : hosts) {
                if (host.matches(head.host())) {
                    return true;
                }
            }
            return false;
        }

        @Override
        public String describe() {
            return "host: " + sorted(hosts);
        }
    }

    /**
     * Matches requests with one of these methods. A route that lists GET also accepts HEAD, because HEAD requests the
     * head of the same response. A route that treats HEAD differently lists HEAD and comes earlier in the order.
     *
     * @param accepted the methods in {@code named}, and HEAD if {@code named} contains GET
     * @see <a href="https://www.rfc-editor.org/rfc/rfc9110#section-9.3.2">RFC 9110, 9.3.2 HEAD</a>
     */
    record Methods(Set<String> named, Set<String> accepted) implements RoutePredicate {
        static Methods of(List<String> methods) {
            Set<String> accepted = new TreeSet<>(methods);
            if (accepted.contains(HttpMethod.GET.name())) {
                accepted.add(HttpMethod.HEAD.name());
            }
            return new Methods(Set.copyOf(methods), Set.copyOf(accepted));
        }

        @Override
        public boolean test(RequestHead head, Ingress ingress) {
            return accepted.contains(head.method().name());
        }

        @Override
        public boolean coveredBy(RoutePredicate held) {
            return held instanceof Methods methods && accepted.containsAll(methods.accepted);
        }

        @Override
        public String describe() {
            return "methods: " + sorted(named);
        }
    }

    /** Matches requests that one of these listeners accepted. */
    record Listeners(Set<String> names) implements RoutePredicate {
        @Override
        public boolean test(RequestHead head, Ingress ingress) {
            return names.contains(ingress.listener());
        }

        @Override
        public boolean coveredBy(RoutePredicate held) {
            return held instanceof Listeners other && names.containsAll(other.names);
        }

        @Override
        public String describe() {
            return "listeners: " + sorted(names);
        }
    }

    /** Matches requests that clients sent over TLS, or requests that clients sent without TLS. */
    record Scheme(MatchConfig.Scheme scheme) implements RoutePredicate {
        @Override
        public boolean test(RequestHead head, Ingress ingress) {
            return ingress.isSecure(head) == (scheme == MatchConfig.Scheme.HTTPS);
        }

        @Override
        public boolean coveredBy(RoutePredicate held) {
            return equals(held);
        }

        @Override
        public String describe() {
            return "scheme: " + scheme.name().toLowerCase(Locale.ROOT);
        }
    }

    /** Matches requests of clients with an address in one of these blocks. */
    record Clients(List<Cidr> blocks) implements RoutePredicate {
        @Override
        public boolean test(RequestHead head, Ingress ingress) {
            InetAddress client = ingress.clientAddress();
            for (Cidr block : blocks) {
                if (block.contains(client)) {
                    return true;
                }
            }
            return false;
        }

        @Override
        public boolean coveredBy(RoutePredicate held) {
            return held instanceof Clients clients
                    && clients.blocks.stream()
                            .allMatch(inner -> blocks.stream().anyMatch(outer -> outer.contains(inner)));
        }

        @Override
        public boolean readsSender() {
            return true;
        }

        @Override
        public String describe() {
            return "clients: " + sorted(blocks);
        }
    }

    /**
     * The sources of named values in a request. If a request has several values with the same name, one matching value
     * is sufficient.
     */
    enum Source {
        /** The header fields. Names are compared without regard to case; values are case-sensitive. */
        HEADERS {
            @Override
            boolean matches(RequestHead head, String name, ValuePattern value) {
                // The two simple forms need no iterator.
                if (value instanceof ValuePattern.Exact exact) {
                    return head.headers().contains(name, exact.expected(), false);
                }
                if (value instanceof ValuePattern.Any) {
                    return head.headers().contains(name);
                }
                Iterator<? extends CharSequence> values = head.headers().valueCharSequenceIterator(name);
                while (values.hasNext()) {
                    if (value.matches(values.next())) {
                        return true;
                    }
                }
                return false;
            }
        },
        /** The cookies. Names and values are case-sensitive and not decoded. */
        COOKIES {
            @Override
            boolean matches(RequestHead head, String name, ValuePattern value) {
                return Cookies.values(head.headers(), name).stream().anyMatch(value::matches);
            }
        },
        /** The query parameters. Names and values are compared after decoding. */
        QUERY {
            @Override
            boolean matches(RequestHead head, String name, ValuePattern value) {
                return QueryParameters.anyMatch(head.query(), name, value::matches);
            }
        };

        abstract boolean matches(RequestHead head, String name, ValuePattern value);

        /** Returns whether values of this name may be credentials. */
        boolean isSecret(String name) {
            return this == HEADERS ? SecretNames.isSecretField(name) : SecretNames.isSecret(name);
        }
    }

    /**
     * Matches requests with a header field, cookie or query parameter whose value a pattern accepts.
     *
     * @param text the pattern as configured
     */
    record Value(Source source, String name, String text, ValuePattern value) implements RoutePredicate {
        /**
         * Parses the pattern of a value.
         *
         * @throws IllegalArgumentException if {@code text} is malformed; the message states the expected form
         */
        static Value of(Source source, String name, String text) {
            String plain = source == Source.HEADERS ? name.toLowerCase(Locale.ROOT) : name;
            return new Value(source, plain, text, ValuePattern.parse(text));
        }

        @Override
        public boolean test(RequestHead head, Ingress ingress) {
            return source.matches(head, name, value);
        }

        @Override
        public boolean coveredBy(RoutePredicate held) {
            return held instanceof Value other
                    && source == other.source
                    && name.equals(other.name)
                    && value.covers(other.value);
        }

        @Override
        public String describe() {
            return isSecret() ? key() + SecretNames.MASK : exactly();
        }

        @Override
        public String exactly() {
            return key() + text;
        }

        private String key() {
            return source.name().toLowerCase(Locale.ROOT) + "." + name + ": ";
        }

        /**
         * Returns whether the text of the pattern may contain a credential; false for the pattern {@code *}, which
         * contains no value.
         */
        private boolean isSecret() {
            return source.isSecret(name) && !(value instanceof ValuePattern.Any);
        }
    }

    /**
     * Matches requests of senders with a claim whose value a pattern accepts. If the claim is a list, the pattern must
     * accept one of its elements.
     *
     * @param path the name of the claim
     * @param text the pattern as configured
     */
    record Claim(String path, String text, ValuePattern value) implements RoutePredicate {
        /**
         * Parses the pattern of a value.
         *
         * @throws IllegalArgumentException if {@code text} is malformed; the message states the expected form
         */
        static Claim of(String path, String text) {
            return new Claim(path, text, ValuePattern.parse(text));
        }

        @Override
        public boolean test(RequestHead head, Ingress ingress) {
            Object claim = ingress.claim(path);
            return claim != null && (value instanceof ValuePattern.Any || ClaimText.anyMatch(claim, value::matches));
        }

        @Override
        public boolean coveredBy(RoutePredicate held) {
            return held instanceof Claim other && path.equals(other.path) && value.covers(other.value);
        }

        @Override
        public boolean readsSender() {
            return true;
        }

        @Override
        public String describe() {
            return "claims." + path + ": " + text;
        }
    }

    /**
     * Tests groups of predicates. A group matches a request if all of its predicates match.
     *
     * @param expected true if the predicate requires that at least one group matches; false if it requires that none of
     *     the groups matches
     */
    record Groups(boolean expected, List<List<RoutePredicate>> groups) implements RoutePredicate {
        @Override
        public boolean test(RequestHead head, Ingress ingress) {
            for (List<RoutePredicate> group : groups) {
                if (holds(group, head, ingress)) {
                    return expected;
                }
            }
            return !expected;
        }

        private static boolean holds(List<RoutePredicate> group, RequestHead head, Ingress ingress) {
            for (RoutePredicate predicate : group) {
                if (!predicate.test(head, ingress)) {
                    return false;
                }
            }
            return true;
        }

        @Override
        public boolean coveredBy(RoutePredicate held) {
            return held instanceof Groups && exactly().equals(held.exactly());
        }

        @Override
        public boolean readsSender() {
            return groups.stream().flatMap(List::stream).anyMatch(RoutePredicate::readsSender);
        }

        @Override
        public String describe() {
            return words(RoutePredicate::describe);
        }

        @Override
        public String exactly() {
            return words(RoutePredicate::exactly);
        }

        private String words(Function<RoutePredicate, String> text) {
            return (expected ? "any: " : "not: ")
                    + groups.stream()
                            .map(group -> group.stream().map(text).sorted().collect(Collectors.joining("; ", "(", ")")))
                            .sorted()
                            .collect(Collectors.joining(" or "));
        }
    }

    private static String sorted(Iterable<?> all) {
        Set<String> texts = new TreeSet<>();
        all.forEach(one -> texts.add(String.valueOf(one)));
        return String.join(", ", texts);
    }
}
