package dev.lychgate.server.recording;

import dev.lychgate.config.ConfigException;
import dev.lychgate.config.MatchConfig;
import dev.lychgate.config.RecordConfig;
import dev.lychgate.error.GatewayError;
import dev.lychgate.error.Side;
import dev.lychgate.exchange.state.ExchangeRecord;
import dev.lychgate.http.RequestHead;
import dev.lychgate.route.Ingress;
import dev.lychgate.route.RequestGroups;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One compiled rule that selects exchanges for the recording. Immutable. */
public final class RecordingRule {
    private static final int FIRST_SERVER_ERROR = 500;

    private static final String GROUP = "match";

    private final @Nullable RequestGroups match;
    private final double share;
    private final boolean errors;
    private final long slowerThan;

    RecordingRule(RecordConfig.Rule config) {
        MatchConfig predicates = config.match();
        this.match = predicates == null ? null : RequestGroups.compile(GROUP, List.of(predicates));
        this.share = config.fraction();
        this.errors = config.errors();
        this.slowerThan = config.slowerThan() == null
                ? Long.MAX_VALUE
                : config.slowerThan().toNanos();
    }

    /**
     * Returns the errors in the predicates of all rules. The keys of the errors are full paths in the configuration.
     */
    public static List<ConfigException> faults(@Nullable RecordConfig config) {
        List<ConfigException> faults = new ArrayList<>();
        List<RecordConfig.Rule> rules = config == null ? List.of() : config.rules();
        for (int i = 0; i < rules.size(); i++) {
            MatchConfig predicates = rules.get(i).match();
            String key = "record.rules[" + i + "].match";
            if (predicates != null) {
                RequestGroups.faults(GROUP, List.of(predicates)).stream()
                        .map(fault -> new ConfigException(
                                fault.key().replace(GROUP + "[0]", key), fault.value(), fault.expected()))
                        .forEach(faults::add);
            }
        }
        return faults;
    }

    boolean matches(RequestHead head, Ingress client) {
        return match == null || match.contain(head, client);
    }

    /** Returns the share of the matching exchanges that are recorded regardless of their outcome, from 0 to 1. */
    double share() {
        return share;
    }

    /** Returns whether this rule can select exchanges at their end: failed exchanges, slow exchanges, or both. */
    boolean awaitsEnd() {
        return errors || slowerThan < Long.MAX_VALUE;
    }

    /** Returns whether this rule selects an exchange that has ended. */
    boolean selects(ExchangeRecord ended) {
        return (errors && hasFailed(ended)) || ended.timeline().delay() >= slowerThan;
    }

    private static boolean hasFailed(ExchangeRecord ended) {
        GatewayError error = ended.error();
        boolean failed = error != null && error.side() != Side.DOWNSTREAM;
        return failed || ended.status() >= FIRST_SERVER_ERROR || ended.hasFailedFilter();
    }
}
