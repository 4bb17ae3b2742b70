package dev.lychgate.server.recording;

import dev.lychgate.config.MatchConfig;
import dev.lychgate.config.RecordConfig;
import dev.lychgate.config.RewriteConfig;
import dev.lychgate.config.RouteConfig;
import dev.lychgate.config.RouteAction;
import dev.lychgate.config.RouteTimeouts;
import dev.lychgate.error.GatewayError;
import dev.lychgate.error.Side;
import dev.lychgate.exchange.state.ExchangeRecord;
import dev.lychgate.http.RequestHead;
import dev.lychgate.route.Ingress;
import dev.lychgate.route.RouteTable;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One rule, ready for use. Immutable. */
public final class RecordingRule {
    private static final int FIRST_SERVER_ERROR = 500;

    private final @Nullable RouteTable match;
    private final double share;
    private final boolean errors;
    private final long slowerThan;

    RecordingRule(RecordConfig.Rule config) {
        MatchConfig predicates = config.match();
        this.match = predicates == null ? null : RouteTable.build(List.of(route(predicates)));
        this.share = config.fraction();
        this.errors = config.errors();
        this.slowerThan = config.slowerThan() == null ? Long.MAX_VALUE : config.slowerThan().toNanos();
    }

    private static RouteConfig route(MatchConfig match) {
        return new RouteConfig(
                "record", 0, match, RewriteConfig.NONE, new RouteAction.Respond(200, Map.of(), ""), RouteTimeouts.UNSET);
    }

    boolean matches(RequestHead head, Ingress client) {
        return match == null || match.match(head, client) != null;
    }

    /** Returns the share of the exchanges that are recorded in any case, 0 to 1. */
    double share() {
        return share;
    }

    /** Returns whether the end of an exchange may select it. */
    boolean awaitsEnd() {
        return errors || slowerThan < Long.MAX_VALUE;
    }

    /** Returns whether an exchange that has ended is selected. */
    boolean selects(ExchangeRecord ended) {
        return (errors && hasFailed(ended)) || ended.timeline().delay() >= slowerThan;
    }

    private static boolean hasFailed(ExchangeRecord ended) {
        GatewayError error = ended.error();
        boolean failed = error != null && error.side() != Side.DOWNSTREAM;
        return failed || ended.status() >= FIRST_SERVER_ERROR || ended.hasFailedFilter();
    }
}
