package dev.lychgate.gateway;

import dev.lychgate.chain.FilterSet;
import dev.lychgate.config.MatchConfig;
import dev.lychgate.config.Stickiness;
import dev.lychgate.filter.Filter;
import dev.lychgate.filter.FilterPhase;
import dev.lychgate.generation.Split;
import dev.lychgate.route.RequestGroups;
import dev.lychgate.testing.TestFilter;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;

/** Divisions between a stable generation and a candidate, and filters that show which one an exchange has. */
final class Candidates {
    /** The common pool may have a single thread, which one client would occupy until the others have ended. */
    static final Executor NEW_THREAD = task -> new Thread(task).start();

    static final Stickiness BY_CLIENT = new Stickiness.Client();
    static final Stickiness BY_REQUEST = new Stickiness.Request();
    static final Stickiness BY_TENANT = new Stickiness.Header("x-tenant");

    /** The line of a request that the candidate takes in any case. */
    static final String CANARY = "x-canary: yes\r\n";

    private static final long SALT = 0x5a17L;

    private Candidates() {}

    static Split share(double share, Stickiness by) {
        return new Split(share, SALT, by, RequestGroups.NONE);
    }

    /** Takes only requests with {@link #CANARY}. */
    static Split included() {
        MatchConfig canary =
                new MatchConfig(List.of(), null, List.of(), Map.of("x-canary", "yes"), Map.of(), List.of(), null);
        return new Split(0, SALT, BY_CLIENT, RequestGroups.compile("include", List.of(canary)));
    }

    /** Responds with the number of the filter's generation. */
    static FilterSet numbering() {
        return FilterSet.of(
                TestFilter.inbound(exchange -> exchange.respond(200, Long.toString(exchange.getGeneration()))));
    }

    /** Adds the number of the filter's generation to the response. */
    static Filter numbered() {
        return TestFilter.of("number", FilterPhase.OUTBOUND, exchange -> {
            exchange.getResponse().getHeaders().putAt("x-generation", exchange.getGeneration());
            return exchange.proceed();
        });
    }

    static String get(String fields) {
        return "GET / HTTP/1.1\r\nHost: a\r\n" + fields + "\r\n";
    }
}
