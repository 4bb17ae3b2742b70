package dev.lychgate.server.yaml;

import dev.lychgate.config.RetryConfig;
import dev.lychgate.config.RouteResilience;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads what a route does about failures and overload. */
final class RetryReader {
    private static final RetryConfig.Hedge ANY_HEDGE = new RetryConfig.Hedge(Duration.ofSeconds(1), 0);

    private RetryReader() {}

    static RouteResilience read(Section route, CrossReferences references) {
        return new RouteResilience(
                route.get("retry").sectionOrNull(RetryReader::retry),
                route.get("bulkhead").sectionOrNull(ProtectionReader::bulkhead),
                route.number("priority", RouteResilience.DEFAULT.priority()),
                OnFailureReader.read(route.get("on-failure"), references),
                route.get("deadline-header").textOrNull());
    }

    private static RetryConfig retry(Section s) {
        RetryConfig d = RetryConfig.DEFAULT;
        return s.build(
                () -> new RetryConfig(
                        s.number("attempts", d.attempts()),
                        failures(s.get("on")),
                        s.duration("per-try", d.perTry()),
                        s.get("backoff").section(d.backoff(), RetryReader::backoff),
                        s.duration("retry-after", d.retryAfter()),
                        s.size("body", d.body()),
                        s.flag("idempotent", d.idempotent()),
                        s.get("hedge").sectionOrNull(RetryReader::hedge)),
                d);
    }

    private static List<String> failures(Element element) {
        return element.present()
                ? element.list("failures", item -> item.text(RetryConfig.RESET))
                : RetryConfig.DEFAULT.on();
    }

    private static RetryConfig.Backoff backoff(Section s) {
        RetryConfig.Backoff d = RetryConfig.Backoff.DEFAULT;
        return s.build(() -> new RetryConfig.Backoff(s.duration("base", d.base()), s.duration("max", d.max())), d);
    }

    private static RetryConfig.Hedge hedge(Section s) {
        @Nullable Duration delay = s.durationOrNull("delay");
        Element percentile = s.get("percentile");
        return s.build(() -> new RetryConfig.Hedge(delay, percentile.number(0)), ANY_HEDGE);
    }
}
