package dev.lychgate.route;

import static dev.lychgate.route.Requests.ingress;
import static dev.lychgate.route.Requests.ordered;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.config.MatchConfig.Scheme;
import dev.lychgate.config.RouteConfig;
import dev.lychgate.http.RequestHead;
import dev.lychgate.route.Requests.Match;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The index finds what a plain scan finds: random tables, small vocabularies so that much matches, and a reference that
 * shares no code with the table - it sorts by the words of the design and matches by cutting strings.
 */
@Tag("slow")
class LinearScanTest {
    private static final String[] HOSTS = {"a.x", "b.a.x", "c.b.a.x", "b.x", "x", "y"};
    private static final String[] HOST_PATTERNS = {"a.x", "b.a.x", "*.x", "*.a.x", "*.b.a.x", "y"};
    private static final String[] SEGMENTS = {"a", "b", "c"};

    @Test
    void findsTheFirstMatchingRouteOfTheTotalOrder() {
        SplittableRandom random = new SplittableRandom(42);
        int hits = 0;
        int checks = 0;
        for (int round = 0; round < 3_000; round++) {
            List<RouteConfig> configs = new ArrayList<>();
            int size = 1 + random.nextInt(round % 10 == 0 ? 60 : 12);
            for (int i = 0; i < size; i++) {
                configs.add(randomRoute(random, "r" + i));
            }
            RouteTable table = RouteTable.build(configs);
            LinearScan scan = new LinearScan(configs);
            for (int i = 0; i < 40; i++) {
                RequestHead head = randomRequest(random);
                Ingress client = ingress(
                        random.nextBoolean() ? "192.0.2.7" : "10.0.0.1",
                        random.nextBoolean() ? "main" : "inside",
                        random.nextBoolean());
                long seed = random.nextLong();
                String expected = scan.match(head, client, new SplittableRandom(seed));
                Route found = table.match(head, client, new SplittableRandom(seed));
                assertThat(found == null ? "none" : found.id())
                        .as("round %d: %s %s%s?%s", round, head.method(), head.host(), head.path(), head.query())
                        .isEqualTo(expected);
                checks++;
                hits += found == null ? 0 : 1;
            }
        }
        assertThat(checks).isEqualTo(120_000);
        assertThat(hits).isGreaterThan(50_000);
    }

    private static RouteConfig randomRoute(RandomGenerator random, String id) {
        Match match = Match.any();
        if (random.nextInt(4) > 0) {
            match = match.at(randomPattern(random));
        }
        if (random.nextInt(2) == 0) {
            String one = HOST_PATTERNS[random.nextInt(HOST_PATTERNS.length)];
            String other = HOST_PATTERNS[random.nextInt(HOST_PATTERNS.length)];
            match = random.nextBoolean() ? match.host(one) : match.host(one, other);
        }
        if (random.nextInt(3) == 0) {
            match = random.nextBoolean() ? match.methods("GET") : match.methods("POST", "HEAD");
        }
        if (random.nextInt(4) == 0) {
            match = match.header("h", random.nextBoolean() ? "1" : "*");
        }
        if (random.nextInt(4) == 0) {
            match = match.query("q", random.nextBoolean() ? "1" : "2");
        }
        if (random.nextInt(6) == 0) {
            match = match.clients("10.0.0.0/8");
        }
        if (random.nextInt(6) == 0) {
            match = match.cookie("c", random.nextBoolean() ? "1" : "2");
        }
        if (random.nextInt(8) == 0) {
            match = match.listeners(random.nextBoolean() ? "main" : "inside");
        }
        if (random.nextInt(8) == 0) {
            match = match.scheme(random.nextBoolean() ? Scheme.HTTP : Scheme.HTTPS);
        }
        if (random.nextInt(6) == 0) {
            match = match.not(Match.of("/a/**").methods("GET"), Match.any().header("h", "2"));
        }
        if (random.nextInt(6) == 0) {
            match = match.anyOf(
                    Match.of("/{v}/b"), Match.any().query("q", "1"), Match.any().clients("10.0.0.0/8"));
        }
        if (random.nextInt(4) == 0) {
            match = match.weight("g" + random.nextInt(2), random.nextInt(4));
        }
        RouteConfig route = match.as(id);
        return random.nextInt(6) == 0 ? ordered(random.nextInt(3) - 1, route) : route;
    }

    private static String randomPattern(RandomGenerator random) {
        if (random.nextInt(8) == 0) {
            return random.nextBoolean() ? "regex:/a.*" : "regex:/[ab]/[bc]";
        }
        StringBuilder pattern = new StringBuilder();
        int depth = random.nextInt(4);
        for (int i = 0; i < depth; i++) {
            pattern.append('/');
            pattern.append(random.nextInt(3) == 0 ? "{v" + i + "}" : SEGMENTS[random.nextInt(SEGMENTS.length)]);
        }
        return switch (random.nextInt(4)) {
            case 0 -> pattern + "/**";
            case 1 -> pattern + "/";
            default -> depth == 0 ? "/" : pattern.toString();
        };
    }

    private static RequestHead randomRequest(RandomGenerator random) {
        StringBuilder path = new StringBuilder();
        int depth = random.nextInt(5);
        for (int i = 0; i < depth; i++) {
            path.append('/').append(SEGMENTS[random.nextInt(SEGMENTS.length)]);
        }
        if (depth == 0 || random.nextInt(4) == 0) {
            path.append('/');
        }
        String[] queries = {"", "?q=1", "?q=2", "?p=1&q=2"};
        String[] methods = {"GET", "POST", "HEAD", "PUT"};
        return Requests.request(
                methods[random.nextInt(methods.length)],
                HOSTS[random.nextInt(HOSTS.length)] + path + queries[random.nextInt(queries.length)],
                random.nextBoolean() ? "h" : "other",
                random.nextBoolean() ? "1" : "2",
                "cookie",
                random.nextBoolean() ? "b=1; c=1" : "c=2; b=1");
    }

    @Test
    void theVocabularyCoversEveryFormOfPath() {
        SplittableRandom random = new SplittableRandom(1);
        List<String> patterns = new ArrayList<>();
        for (int i = 0; i < 5_000; i++) {
            patterns.add(randomPattern(random));
        }
        assertThat(patterns).contains("/", "/**", "/a", "/a/", "/{v0}", "/{v0}/**", "/a/{v1}", "regex:/a.*");
    }
}
