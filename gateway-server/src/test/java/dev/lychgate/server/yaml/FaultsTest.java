package dev.lychgate.server.yaml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("Faults of a configuration file")
@Tag("slow")
class FaultsTest {
    @Test
    void reportsAllFaultsAtOnceInTheOrderOfTheFile() {
        assertThat(faults("""
                        worker: 2
                        listeners:
                          - name: main
                            adress: "0.0.0.0:8080"
                            limits: { connections: 0, header-count: 4, body: 10 }
                          - name: main
                            address: 0.0.0.0
                        routes:
                          - id: api
                            match: { path: "/api/**", methods: [GET, get] }
                            filters: [{ gzip: {} }]
                            rewrite: { stripPrefix: 1, path: x }
                            upstream: apj
                            timeouts: { connect: 2, exchange: -1s }
                          - id: both
                            upstream: api
                            respond: { status: 99 }
                          - id: neither
                        upstreams:
                          api:
                            endpoints: ["ftp://127.0.0.1:9000", "https://127.0.0.1:9001"]
                            pool: { idle: 0, connection: 4 }
                            tls: { trust: all }
                        filters: { directory: filters, guard: { after: 1ms } }
                        access-log: { format: xml, queue: 1 }
                        """))
                .containsExactly(
                        "gateway.yml:1:1: worker: unknown key, did you mean 'workers'? (expected: one of include, defaults, groups, extensions, workers, transport, drain, listeners, routes, upstreams, admin, access-log, filters, overload, rollout, log, metrics, recorder, record, tracing, stall, watch, gate, faults, history, fleet, rate-limits, address-lists, clients, authenticate, authorize, cache, discovery)",
                        "gateway.yml:3:5: listeners[0].address: missing (expected: host:port, such as 0.0.0.0:8080)",
                        "gateway.yml:4:5: listeners[0].adress: unknown key, did you mean 'address'? (expected: one of name, address, socket, limits, timeouts, paths, protocols, http2, trusted-proxies, client-address, forwarded, tls, redirect-to-https, proxy-protocol, rate-limit, client-protection, authenticate)",
                        "gateway.yml:5:28: listeners[0].limits.connections: 0 (expected: >= 1)",
                        "gateway.yml:5:45: listeners[0].limits.header-count: 4 (expected: 8 to 10000)",
                        "gateway.yml:5:54: listeners[0].limits.body: 10 (expected: a size such as 512B, 16KiB, 4MiB or 2GiB; a bare number has no unit)",
                        "gateway.yml:6:11: listeners[1].name: main (expected: a name that no other listener has; line 3 already has this value)",
                        "gateway.yml:7:14: listeners[1].address: 0.0.0.0 (expected: host:port, such as 0.0.0.0:8080 or [::1]:8080)",
                        "gateway.yml:10:46: routes[0].match.methods[1]: get (expected: a method in capitals, such as GET)",
                        "gateway.yml:12:16: routes[0].rewrite.stripPrefix: unknown key, did you mean 'strip-prefix'? (expected: one of strip-prefix, path, set-host)",
                        "gateway.yml:12:38: routes[0].rewrite.path: x (expected: a path that begins with /)",
                        "gateway.yml:13:15: routes[0].upstream: apj (expected: an upstream; did you mean 'api'?)",
                        "gateway.yml:14:26: routes[0].timeouts.connect: 2 (expected: a duration such as 250ms, 4s, 10m or 1h; a bare number has no unit)",
                        "gateway.yml:14:39: routes[0].timeouts.exchange: -1s (expected: >= 0 (0 = none))",
                        "gateway.yml:17:5: routes[1].respond: set together with upstream (expected: exactly one of upstream, redirect and respond)",
                        "gateway.yml:17:24: routes[1].respond.status: 99 (expected: 200 to 599)",
                        "gateway.yml:18:5: routes[2]: a required key is missing (expected: exactly one of upstream, redirect and respond)",
                        "gateway.yml:21:17: upstreams.api.endpoints[0]: ftp://127.0.0.1:9000 (expected: a URL that begins with http:// or https://)",
                        "gateway.yml:22:19: upstreams.api.pool.idle: 0 (expected: > 0)",
                        "gateway.yml:22:22: upstreams.api.pool.connection: unknown key, did you mean 'connections'? (expected: one of connections, pending, idle, lifetime, requests, reclaim, streams)",
                        "gateway.yml:23:12: upstreams.api.tls.trust: unknown key (expected: one of verify, ca, certificate, server-name, protocols, provider)",
                        "gateway.yml:24:48: filters.guard.after: 1ms (expected: >= 20ms)",
                        "gateway.yml:25:23: access-log.format: xml (expected: json, combined, off)",
                        "gateway.yml:25:35: access-log.queue: 1 (expected: 64 to 16777216)");
    }

    @Test
    void refusesRungsOfOverloadInAnotherOrder() {
        String listeners = "listeners: [{ name: main, address: '127.0.0.1:0' }]\n";
        assertThat(faults(listeners + "overload:\n  brownout: 2s\n  stale: { after: 1s }\n"))
                .containsExactly("gateway.yml:4:19: overload.stale.after: 1s (expected: at least brownout, 2s)");
        assertThat(faults(listeners + "overload:\n  stale: { after: 4s }\n  page: { after: 3s }\n"))
                .containsExactly("gateway.yml:4:18: overload.page.after: 3s (expected: at least stale.after, 4s)");
        assertThat(faults(listeners + "overload:\n  stale: { below: 11, max-stale: 0s }\n"))
                .containsExactly(
                        "gateway.yml:3:19: overload.stale.below: 11 (expected: 1 to 10)",
                        "gateway.yml:3:34: overload.stale.max-stale: 0s (expected: >= 1s)");
    }

    @Test
    void refusesAReachableAdminListenerWithoutAuthentication() {
        String expected = " (expected: a loopback address such as 127.0.0.1:8081, or at least one of token, token-file,"
                + " operators and tls.client-ca; without them, any client that reaches the listener could change"
                + " the gateway)";
        String listeners = "listeners: [{ name: main, address: '127.0.0.1:0' }]\n";
        assertThat(faults(listeners + "admin: { address: '0.0.0.0:8081' }"))
                .containsExactly("gateway.yml:2:19: admin.address: 0.0.0.0:8081" + expected);
        assertThat(faults(listeners + "admin: { address: '[::]:8081', tls: { chain: a.pem, key: a.key } }"))
                .containsExactly("gateway.yml:2:19: admin.address: [::]:8081" + expected);
        assertThat(faults(listeners + "admin: { address: '127.0.0.1:1', token: swordfish }"))
                .containsExactly(
                        "gateway.yml:2:41: admin.token: *** (expected: 16 to 256 characters of ASCII without blanks)");
        assertThat(faults(listeners + "admin: { address: '127.0.0.1:1', tls: { chain: a.pem } }"))
                .containsExactly(
                        "gateway.yml:2:39: admin.tls.key: missing (expected: a PEM file with the private key of the certificate in chain)");
        assertThat(faults(
                        listeners + "admin: { address: '10.0.0.1:1', tls: { pkcs12: a, password: b, client-ca: c } }"))
                .isEmpty();
    }

    static Stream<Arguments> lines() {
        return Stream.of(
                arguments("an empty file", "", ":1:1: the file is empty (expected: at least 'listeners')"),
                arguments("only comments", "# nothing\n", ":1:1: the file is empty (expected: at least 'listeners')"),
                arguments("an empty mapping", "{}", ":1:1: listeners: missing (expected: at least one listener)"),
                arguments("a list at the top", "- a", ":1:1: a list (expected: a mapping of keys)"),
                arguments(
                        "a tab",
                        "listeners:\n\t- a",
                        ":2:1: a tab character (expected: spaces; YAML is not indented with tabs)"),
                arguments(
                        "an anchor",
                        "listeners: &a []",
                        ":1:12: an anchor (&a) (expected: no anchors; write the value again)"),
                arguments(
                        "an alias",
                        "admin: *a",
                        ":1:8: an alias (expected: the value itself; anchors are not supported)"),
                arguments(
                        "a tag",
                        "admin: !!java.net.URL [x]",
                        ":1:8: a tag (tag:yaml.org,2002:java.net.URL) (expected: no tags; quote the value if it begins with '!')"),
                arguments(
                        "two documents",
                        "listeners: []\n---\nlisteners: []",
                        ":2:1: a second document (expected: one document per file)"),
                arguments(
                        "a bell",
                        "listeners: []\n# \u0007\n",
                        ":2:3: a character that YAML does not allow (U+0007) (expected: printable text)"),
                arguments("depth", "[".repeat(40), ":1:33: nested too deeply (expected: at most 32 levels)"),
                arguments(
                        "endless lists",
                        "a:\n" + "- b\n".repeat(600_000),
                        ":499999:3: too many keys and values (expected: at most 500000)"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("lines")
    void reportsMalformedYamlInOneLine(String what, String yaml, String fault) {
        assertThat(faults(yaml)).as(what).containsExactly("gateway.yml" + fault);
    }

    /** YAML 1.1 merges mappings that way, so that a key could be given twice. */
    @Test
    void refusesMergeKeys() {
        assertThat(faults("drain: { timeout: 2s, <<: { timeout: 1s } }"))
                .contains("gateway.yml:1:23: drain.<<: unknown key (expected: one of timeout)");
    }

    static Stream<Arguments> values() {
        return Stream.of(
                arguments(
                        "forwarded: yes",
                        "forwarded: yes (expected: true or false; yes, no, on and off are text in YAML 1.2)"),
                arguments("forwarded: \"true\"", "forwarded: true (expected: true or false without quotes)"),
                arguments("forwarded:", "forwarded: no value (expected: true or false, or the key left out)"),
                arguments(
                        "limits: { connections: \"5\" }",
                        "limits.connections: 5 (expected: a whole number without quotes)"),
                arguments("limits: { connections: 1.5 }", "limits.connections: 1.5 (expected: a whole number)"),
                arguments("limits: { connections: 0x10 }", "limits.connections: 0x10 (expected: a whole number)"),
                arguments(
                        "limits: { connections: 99999999999 }",
                        "limits.connections: 99999999999 (expected: a whole number of at most nine digits)"),
                arguments("limits: 5", "limits: 5 (expected: a mapping of keys)"),
                arguments("limits:", "limits: no value (expected: a mapping of keys)"),
                arguments("timeouts: { idle: [1s] }", "timeouts.idle: a list (expected: a number with a unit)"),
                arguments(
                        "timeouts: { idle: 1.5s }",
                        "timeouts.idle: 1.5s (expected: a duration such as 250ms, 4s, 10m or 1h)"),
                arguments("timeouts: { tls-handshake: 0 }", "timeouts.tls-handshake: 0 (expected: > 0)"),
                arguments("redirect-to-https: { port: 0 }", "redirect-to-https.port: 0 (expected: 1 to 65535)"),
                arguments("tls: {}", "tls.certificates: missing (expected: at least one certificate)"),
                arguments(
                        "tls: { certificates: [{ chain: a.pem }] }",
                        "tls.certificates[0].key: missing (expected: a PEM file with the private key of the certificate in chain)"),
                arguments(
                        "tls: { certificates: [{ chain: a.pem, pkcs12: a.p12 }] }",
                        "tls.certificates[0].chain: set together with pkcs12 (expected: only one of the two)"),
                arguments(
                        "tls: { certificates: [{ chain: a.pem, key: a.key }], protocols: [SSLv3] }",
                        "tls.protocols[0]: SSLv3 (expected: TLSv1.3 or TLSv1.2)"),
                arguments(
                        "tls: { certificates: [{ chain: a.pem, key: a.key }], client-auth: required }",
                        "tls.client-ca: missing (expected: a PEM file with the authorities of client certificates)"),
                arguments(
                        "trusted-proxies: \"10.0.0.0/8\"",
                        "trusted-proxies: 10.0.0.0/8 (expected: a list of address blocks)"),
                arguments(
                        "trusted-proxies: [\"10.0.0.1/8\"]",
                        "trusted-proxies[0]: 10.0.0.1/8 (expected: an address with no bits set beyond /8)"),
                arguments(
                        "client-address: { header: forwarded }",
                        "client-address: set without trusted-proxies (expected: only together with trusted-proxies, because the gateway reads this header only from trusted proxies)"),
                arguments(
                        "client-address: { header: x-forwarded-host }",
                        "client-address.header: x-forwarded-host (expected: x-forwarded-for, forwarded, or a header that contains only client addresses, such as x-real-ip)"),
                arguments(
                        "client-address: { header: x_real_ip }",
                        "client-address.header: x_real_ip (expected: a name with hyphens instead of underscores)"),
                arguments("client-address: { hops: 33 }", "client-address.hops: 33 (expected: 0 to 32)"),
                arguments("client-address: { hops: -1 }", "client-address.hops: -1 (expected: 0 to 32)"),
                arguments(
                        "forwarded: true\n    forwarded: false",
                        "forwarded: duplicate key (expected: each key once; line 4 already has this key)"),
                arguments(
                        "socket: { low-watermark: 1MiB }",
                        "socket.high-watermark: 256KiB (expected: at least the value of low-watermark (1MiB))"),
                arguments("socket: { splice: 1KiB }", "socket.splice: 1KiB (expected: 0, or at least 32KiB)"),
                arguments("? [a]\n    : b", "a key that is not text (expected: a plain key)"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("values")
    void reportsInvalidValues(String line, String fault) {
        List<String> faults = faults("listeners:\n  - name: a\n    address: 127.0.0.1:0\n    " + line + "\n");

        assertThat(faults)
                .singleElement()
                .asString()
                .endsWith(": listeners[0]" + (fault.startsWith("a key") ? ": " : ".") + fault);
    }

    @Test
    void reportsNamesThatLookLikeNumbers() {
        assertThat(faults("listeners: [{ name: 5, address: \"127.0.0.1:0\" }]"))
                .containsExactly("gateway.yml:1:21: listeners[0].name: 5 (expected: text; put it in quotes: \"5\")");
    }

    @Test
    void reportsInvalidNamesOfUpstreams() {
        assertThat(faults("""
                        listeners: [{ name: main, address: "127.0.0.1:0" }]
                        upstreams:
                          a b: { endpoints: ["http://127.0.0.1:9"] }
                          c: { endpoints: [] }
                          d: { endpoints: ["http://127.0.0.1:9", "http://127.0.0.1:9"] }
                          d: { endpoints: ["http://127.0.0.1:9"] }
                        """))
                .containsExactly(
                        "gateway.yml:3:8: upstreams.a b: a b (expected: a name of at most 64 characters: letters, digits, '.', '_' and '-')",
                        "gateway.yml:4:19: upstreams.c.endpoints: [] (expected: at least 1 item)",
                        "gateway.yml:5:19: upstreams.d.endpoints: [http://127.0.0.1:9, http://127.0.0.1:9] (expected: each endpoint only once)",
                        "gateway.yml:6:3: upstreams.d: duplicate key (expected: each name once; line 5 already has this name)");
    }

    @Test
    void reportsInvalidRequestsOfHealthChecks() {
        assertThat(faults("""
                        listeners: [{ name: main, address: "127.0.0.1:0" }]
                        upstreams:
                          a: { endpoints: ["http://127.0.0.1:9"], health: { active: { path: "/a b" } } }
                          b: { endpoints: ["http://127.0.0.1:9"], health: { active: { path: /, host: "a\\r\\nb" } } }
                        """))
                .hasSize(2)
                .anySatisfy(fault -> assertThat(fault).contains("a.health.active.path", "a path of visible ASCII"))
                .anySatisfy(fault -> assertThat(fault).contains("b.health.active.host", "a host name"));
    }

    @Test
    void reportsInvalidDiscovery() {
        assertThat(faults("""
                        listeners: [{ name: main, address: "127.0.0.1:0" }]
                        discovery:
                          sources:
                            lan: { file: { directory: endpoints } }
                            none: {}
                          max-removal: 0%
                          removal-period: 1ms
                        upstreams:
                          a: { endpoints: [{ from: lan }, { service: a }] }
                          b: { endpoints: [{ from: lan, service: ../b }] }
                          c: { endpoints: [{ from: lan, service: c, weight: 2, host: c.test }] }
                          d: { endpoints: [{ from: lan, service: d }, { from: lan, service: d, zone: a }] }
                          e: { endpoints: [{ from: lan, service: e }], tls: {} }
                        """))
                .containsExactly(
                        "gateway.yml:5:11: discovery.sources.none: a required key is missing (expected: exactly one of file, consul, kubernetes, eureka and etcd)",
                        "gateway.yml:6:16: discovery.max-removal: 0% (expected: 1% to 100%)",
                        "gateway.yml:7:19: discovery.removal-period: 1ms (expected: 1s to 1h)",
                        "gateway.yml:9:28: upstreams.a.endpoints[0].from: set without service (expected: only together with service)",
                        "gateway.yml:9:35: upstreams.a.endpoints[1]: a required key is missing (expected: exactly one of url, srv and from)",
                        "gateway.yml:9:46: upstreams.a.endpoints[1].service: set without from (expected: only together with from)",
                        "gateway.yml:10:42: upstreams.b.endpoints[0].service: ../b (expected: a name of at most 128 characters: letters, digits, '.', '_' and '-')",
                        "gateway.yml:11:53: upstreams.c.endpoints[0].weight: set together with from (expected: the key left out, because the weights of the source apply)",
                        "gateway.yml:11:62: upstreams.c.endpoints[0].host: set together with from (expected: the key left out, because the addresses of the endpoints apply)",
                        "gateway.yml:12:19: upstreams.d.endpoints: [lan/d, lan/d] (expected: each service of a source only once)",
                        "gateway.yml:13:53: upstreams.e.tls: accepts any endpoint that the source reports (expected: the key server-name or ca, which limits the accepted certificates)");
    }

    @Test
    void reportsInvalidSourcesOfEndpoints() {
        assertThat(faults("""
                        listeners: [{ name: main, address: "127.0.0.1:0" }]
                        discovery:
                          sources:
                            a: { consul: { url: "http://10.0.0.5:8500", token: secret-token } }
                            b: { consul: { url: "http://consul.test:8500/?a=b" }, file: { directory: endpoints } }
                            c: { kubernetes: { url: "https://10.0.0.5:6443" } }
                            d: { kubernetes: { url: "http://10.0.0.5:6443", namespace: shop, token-file: token } }
                            e: { kubernetes: { ca: ca.pem } }
                            f: { eureka: { url: "http://10.0.0.5:8761/eureka", ca: ca.pem, interval: 1ms } }
                        """))
                .containsExactly(
                        "gateway.yml:4:56: discovery.sources.a.consul.token: set together with http URLs (expected: https URLs or loopback addresses, because this credential must not be sent in plain text)",
                        "gateway.yml:5:25: discovery.sources.b.consul.url: http://consul.test:8500/?a=b (expected: http://HOST:PORT/PATH or https://HOST:PORT/PATH)",
                        "gateway.yml:5:59: discovery.sources.b.file: set together with consul (expected: exactly one of file, consul, kubernetes, eureka and etcd)",
                        "gateway.yml:6:22: discovery.sources.c.kubernetes.namespace: missing (expected: the name of a namespace)",
                        "gateway.yml:7:82: discovery.sources.d.kubernetes.token-file: set together with http URLs (expected: https URLs or loopback addresses, because this credential must not be sent in plain text)",
                        "gateway.yml:8:28: discovery.sources.e.kubernetes.ca: set without url (expected: only together with url)",
                        "gateway.yml:9:60: discovery.sources.f.eureka.ca: set together with http URLs (expected: https URLs, or neither ca nor certificate)",
                        "gateway.yml:9:78: discovery.sources.f.eureka.interval: 1ms (expected: 1s to 10m)");
    }

    @Test
    void reportsUnknownSourcesOfEndpoints() {
        assertThat(faults("""
                        listeners: [{ name: main, address: "127.0.0.1:0" }]
                        discovery: { sources: { lan: { file: { directory: endpoints } } } }
                        upstreams: { a: { endpoints: [{ from: wan, service: a }] } }
                        """))
                .containsExactly(
                        "gateway.yml:3:30: upstreams.a.endpoints: wan (expected: one of the discovery.sources [lan])");
    }

    @Test
    void reportsInvalidDnsNames() {
        assertThat(faults("""
                        listeners: [{ name: main, address: "127.0.0.1:0" }]
                        upstreams:
                          a: { endpoints: [{ srv: "a b" }] }
                          b: { endpoints: [{ srv: _http._tcp.b.test, weight: 2, host: b.test }] }
                          c: { endpoints: [{ url: "http://c.test", srv: _http._tcp.c.test }, { zone: a }] }
                          d: { endpoints: [{ srv: _http._tcp.d.test }, { srv: _http._tcp.d.test }] }
                          e: { endpoints: [{ url: "http://e.test", host: "e test" }] }
                          f: { endpoints: ["http://f.test"], dns: { servers: ["dns.test:53", "10.0.0.2:0"], family: ipv5 } }
                          g: { endpoints: ["http://g.test"], dns: { min-ttl: 1ms, max-ttl: 10s, timeout: 1ms } }
                        """))
                .containsExactly(
                        "gateway.yml:3:27: upstreams.a.endpoints[0].srv: a b (expected: a name that has SRV records, such as _http._tcp.api.example)",
                        "gateway.yml:4:54: upstreams.b.endpoints[0].weight: set together with srv (expected: the key left out, because the weights of the SRV records apply)",
                        "gateway.yml:4:63: upstreams.b.endpoints[0].host: set together with srv (expected: the key left out, because the target names of the SRV records apply)",
                        "gateway.yml:5:44: upstreams.c.endpoints[0].srv: set together with url (expected: exactly one of url, srv and from)",
                        "gateway.yml:5:70: upstreams.c.endpoints[1]: a required key is missing (expected: exactly one of url, srv and from)",
                        "gateway.yml:6:19: upstreams.d.endpoints: [srv _http._tcp.d.test, srv _http._tcp.d.test] (expected: each srv only once)",
                        "gateway.yml:7:50: upstreams.e.endpoints[0].host: e test (expected: a host name with or without a port, such as api.example:9000)",
                        "gateway.yml:8:55: upstreams.f.dns.servers[0]: dns.test:53 (expected: an IP address, such as 127.0.0.1, [::1] or 0.0.0.0, or localhost)",
                        "gateway.yml:8:70: upstreams.f.dns.servers[1]: 10.0.0.2:0 (expected: a port from 1 to 65535)",
                        "gateway.yml:8:93: upstreams.f.dns.family: ipv5 (expected: either, ipv4, ipv6, both)",
                        "gateway.yml:9:54: upstreams.g.dns.min-ttl: 1ms (expected: >= 100ms)",
                        "gateway.yml:9:82: upstreams.g.dns.timeout: 1ms (expected: >= 10ms)");
    }

    @Test
    void reportsInvalidBalancing() {
        assertThat(faults("""
                        listeners: [{ name: main, address: "127.0.0.1:0" }]
                        upstreams:
                          a: { endpoints: [{ url: "http://127.0.0.1:9", weight: 0, priority: 101, zone: "a b" }] }
                          b: { endpoints: ["http://127.0.0.1:9"], balance: { algorithm: fair } }
                          c: { endpoints: ["http://127.0.0.1:9"], balance: { algorithm: consistent-hash } }
                          d: { endpoints: ["http://127.0.0.1:9"], balance: { hash: path, spill-below: 0, panic-below: 5 } }
                          e: { endpoints: ["http://127.0.0.1:9"], balance: { algorithm: consistent-hash, hash: { header: "x y" }, load-bound: 90% } }
                        """))
                .containsExactly(
                        "gateway.yml:3:57: upstreams.a.endpoints[0].weight: 0 (expected: 1 to 1000)",
                        "gateway.yml:3:70: upstreams.a.endpoints[0].priority: 101 (expected: 0 to 100)",
                        "gateway.yml:3:81: upstreams.a.endpoints[0].zone: a b (expected: a name of at most 64 characters: letters, digits, '.', '_' and '-')",
                        "gateway.yml:4:65: upstreams.b.balance.algorithm: fair (expected: round-robin, random, least-requests, least-response-time, client-ip-hash, consistent-hash)",
                        "gateway.yml:5:52: upstreams.c.balance.hash: missing (expected: path, client-ip, or a mapping of header, cookie or query)",
                        "gateway.yml:6:60: upstreams.d.balance.hash: set together with algorithm least-requests (expected: algorithm consistent-hash, or the key left out)",
                        "gateway.yml:6:79: upstreams.d.balance.spill-below: 0 (expected: 1% to 100%)",
                        "gateway.yml:6:95: upstreams.d.balance.panic-below: 5 (expected: a whole number of percent, such as 70%; a bare number has no unit)",
                        "gateway.yml:7:98: upstreams.e.balance.hash.header: x y (expected: the name of a header field)",
                        "gateway.yml:7:119: upstreams.e.balance.load-bound: 90% (expected: above 100%, or 0)");
    }

    @Test
    void reportsGrpcChecksWithoutHttp2() {
        assertThat(faults("""
                        listeners: [{ name: main, address: "127.0.0.1:0" }]
                        upstreams:
                          a: { endpoints: ["http://127.0.0.1:9"], health: { active: { grpc: {} } } }
                          b: { protocol: auto, endpoints: ["https://127.0.0.1:8", "http://127.0.0.1:9"], health: { active: { grpc: {} } } }
                          c: { protocol: h2, endpoints: ["http://127.0.0.1:9"], health: { active: { path: /x, grpc: {} } } }
                          d: { protocol: h2, endpoints: ["http://127.0.0.1:9"], health: { active: { grpc: { service: "a\\tb", name: x } } } }
                          e: { protocol: h2, endpoints: ["http://127.0.0.1:9"], health: { active: { grpc: {}, status: [200] } } }
                          f: { protocol: h2, endpoints: ["http://127.0.0.1:9"], health: { active: { grpc: { service: a.B }, host: b.test } } }
                          g: { protocol: auto, endpoints: ["https://127.0.0.1:8"], health: { active: { grpc: {} } } }
                        """))
                .containsExactly(
                        "gateway.yml:3:51: upstreams.a.health: active.grpc together with protocol http/1.1 (expected: protocol h2, or auto with TLS: gRPC requires HTTP/2)",
                        "gateway.yml:4:90: upstreams.b.health: active.grpc together with protocol auto and an endpoint without TLS (expected: protocol h2, or only https:// endpoints: gRPC requires HTTP/2, but auto uses HTTP/1.1 for endpoints without TLS)",
                        "gateway.yml:5:93: upstreams.c.health.active.grpc: set together with path (expected: either grpc, for a gRPC call, or path, for a GET request)",
                        "gateway.yml:6:94: upstreams.d.health.active.grpc.service: a\\tb (expected: the name of a service, such as example.Texts, at most 255 bytes long)",
                        "gateway.yml:6:102: upstreams.d.health.active.grpc.name: unknown key (expected: one of service)",
                        "gateway.yml:7:75: upstreams.e.health.active.path: none (expected: a path, because status or "
                                + "body is set)");
    }

    @Test
    void reportsUnknownListenersAndKeysOfGroups() {
        assertThat(faults("""
                        listeners: [{ name: main, address: "127.0.0.1:0" }, { name: internal, address: "127.0.0.1:0" }]
                        routes:
                          - { id: a, match: { not: [{ listeners: [internl] }] }, respond: { status: 204 } }
                        """))
                .containsExactly(
                        "gateway.yml:3:21: routes[0].match.listeners: [internl] (expected: only names of configured listeners: [internal, main])");
        assertThat(faults("""
                        listeners: [{ name: main, address: "127.0.0.1:0" }]
                        routes:
                          - { id: c, match: { not: [{ not: [{ path: /a }] }], scheme: HTTPS }, respond: { status: 204 } }
                          - { id: d, match: { cookies: { "a b": x } }, respond: { status: 204 } }
                        """))
                .containsExactly(
                        "gateway.yml:3:31: routes[0].match.not[0].not: unknown key (expected: one of host, path, methods, headers, query, cookies, clients, scheme, listeners, claims)",
                        "gateway.yml:3:63: routes[0].match.scheme: HTTPS (expected: http or https)",
                        "gateway.yml:4:41: routes[1].match.cookies.a b: a b (expected: the name of a cookie)");
        assertThat(faults("""
                        listeners: [{ name: main, address: "127.0.0.1:0" }]
                        filters: { trace: { match: { listeners: [man] } } }
                        """))
                .containsExactly(
                        "gateway.yml:2:41: filters.trace.match.listeners: [man] (expected: only names of configured listeners: [main])");
    }

    @Test
    void reportsSubsetsWithoutEndpoints() {
        assertThat(faults("""
                        listeners: [{ name: main, address: "127.0.0.1:0" }]
                        routes:
                          - { id: a, upstream: api, subset: { version: v3 } }
                          - { id: b, upstream: plain, subset: { version: v1 } }
                          - { id: c, subset: { version: v1 }, respond: { status: 204 } }
                        upstreams:
                          api: { endpoints: [{ url: "http://127.0.0.1:9", metadata: { version: v1 } }, { url: "http://127.0.0.1:8", metadata: { version: v2 } }] }
                          plain: { endpoints: ["http://127.0.0.1:9"] }
                        """))
                .containsExactly(
                        "gateway.yml:3:37: routes[0].subset: {version=v3} (expected: metadata that an endpoint of api has: {version=v1}, {version=v2})",
                        "gateway.yml:4:39: routes[1].subset: {version=v1} (expected: metadata that an endpoint of "
                                + "plain has; no endpoint of plain has metadata)",
                        "gateway.yml:5:22: routes[2].subset: set without upstream (expected: only together with upstream)");
    }

    @Test
    void limitsTheNumberOfReportedFaults() {
        StringBuilder yaml = new StringBuilder("listeners: [{ name: main, address: \"127.0.0.1:0\" }]\nroutes:\n");
        for (int i = 0; i < 40_000; i++) {
            yaml.append("  - { id: r").append(i).append(", upstream: apj, x: 1, y: 2 }\n");
        }
        assertThat(faults(yaml + "upstreams: { api: { endpoints: [\"http://127.0.0.1:9\"] } }"))
                .hasSize(101)
                .startsWith(
                        "gateway.yml:3:30: routes[0].x: unknown key (expected: one of id, group, order, match, path, rewrite,"
                                + " upstream, subset, redirect, respond, timeouts, filters, retry, bulkhead, priority, on-failure, deadline-header, websocket,"
                                + " access-log, mirror, labels, rate-limit, authenticate, authorize, cache)")
                .endsWith("gateway.yml: the configuration has further faults; this list ends after 100");
    }

    @Test
    void doesNotReportConsequencesOfRefusedValues() {
        assertThat(faults("""
                        listeners: [{ name: 5, address: "127.0.0.1:0" }, { name: 6, address: "127.0.0.1:0" }]
                        upstreams:
                          api: { endpoints: ["http://10.0.0.1:9000/x", "http://10.0.0.2:9000/x", "http://127.0.0.1:1"] }
                          other: { endpoints: ["http://10.0.0.1:9000/x", { url: "http://10.0.0.2:9000/x" }] }
                        """))
                .containsExactly(
                        "gateway.yml:1:21: listeners[0].name: 5 (expected: text; put it in quotes: \"5\")",
                        "gateway.yml:1:58: listeners[1].name: 6 (expected: text; put it in quotes: \"6\")",
                        "gateway.yml:3:22: upstreams.api.endpoints[0]: http://10.0.0.1:9000/x (expected: a URL with only a scheme, a host and a port, such as http://10.0.0.1:9000)",
                        "gateway.yml:3:48: upstreams.api.endpoints[1]: http://10.0.0.2:9000/x (expected: a URL with only a scheme, a host and a port, such as http://10.0.0.1:9000)",
                        "gateway.yml:4:24: upstreams.other.endpoints[0]: http://10.0.0.1:9000/x (expected: a URL with only a scheme, a host and a port, such as http://10.0.0.1:9000)",
                        "gateway.yml:4:57: upstreams.other.endpoints[1].url: http://10.0.0.2:9000/x (expected: a URL with only a scheme, a host and a port, such as http://10.0.0.1:9000)");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "protocols: [h2c, http1] | protocols[0]: h2c (expected: h2 or http/1.1) | protocols[1]: http1 (expected: h2 or http/1.1)",
                "protocols: [h2, h2c] | protocols[1]: h2c (expected: h2 or http/1.1) |",
            })
    void reportsEachInvalidItemOfAListAndNotTheRemainingList(String setting, String first, @Nullable String second) {
        List<String> faults = faults("listeners:\n  - name: main\n    address: \"127.0.0.1:0\"\n    " + setting + "\n");
        assertThat(faults.get(0)).endsWith("listeners[0]." + first);
        assertThat(faults).hasSize(second == null ? 1 : 2);
        if (second != null) {
            assertThat(faults.get(1)).endsWith("listeners[0]." + second);
        }
    }

    @Test
    void reportsAnInvalidListOfValidItems() {
        assertThat(faults("listeners: [{ name: main, address: \"127.0.0.1:0\", protocols: [h2, h2] }]"))
                .singleElement()
                .satisfies(fault -> assertThat(fault)
                        .contains("listeners[0].protocols")
                        .endsWith("(expected: h2, http/1.1 or both, each once)"));
    }

    @Test
    void reportsBytesThatAreNotUtf8() {
        byte[] bytes = "a: b\nc: \u00e9\n".getBytes(StandardCharsets.ISO_8859_1);

        assertThatExceptionOfType(FaultyConfigException.class)
                .isThrownBy(() -> YamlSource.decode("gateway.yml", bytes))
                .withMessage("gateway.yml:2:4: a byte that is not UTF-8 (expected: a file in UTF-8)");
    }

    @Test
    void escapesControlCharactersOfTheFile() {
        assertThat(faults("listeners: [{ name: \"a\\e[31m\\n\", address: \"127.0.0.1:0\" }]"))
                .singleElement()
                .asString()
                .contains("a?[31m\\n");
    }

    static List<String> faults(String yaml) {
        try {
            new ConfigReader(name -> null).read("gateway.yml", yaml);
            return List.of();
        } catch (FaultyConfigException e) {
            return e.faults().stream().map(Fault::toString).toList();
        }
    }
}
