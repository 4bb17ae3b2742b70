package dev.lychgate.server.yaml;

import dev.lychgate.config.BreakerConfig;
import dev.lychgate.config.BulkheadConfig;
import dev.lychgate.config.LimitConfig;
import dev.lychgate.config.Percent;
import dev.lychgate.config.RetryBudgetConfig;
import dev.lychgate.config.SheddingConfig;
import dev.lychgate.config.StallConfig;
import dev.lychgate.config.UpstreamResilience;

/** Reads what protects an upstream, and the gateway itself. */
final class ProtectionReader {
    private ProtectionReader() {}

    static UpstreamResilience read(Section upstream) {
        return new UpstreamResilience(
                upstream.get("retry-budget").section(RetryBudgetConfig.DEFAULT, ProtectionReader::budget),
                upstream.get("breaker").sectionOrNull(ProtectionReader::breaker),
                upstream.get("bulkhead").sectionOrNull(ProtectionReader::bulkhead),
                upstream.get("limit").sectionOrNull(ProtectionReader::limit));
    }

    private static RetryBudgetConfig budget(Section s) {
        RetryBudgetConfig d = RetryBudgetConfig.DEFAULT;
        return s.build(() -> new RetryBudgetConfig(share(s, "share", d.share()), s.number("minimum", d.minimum())), d);
    }

    private static BreakerConfig breaker(Section s) {
        BreakerConfig d = BreakerConfig.DEFAULT;
        return s.build(
                () -> new BreakerConfig(
                        share(s, "error-share", d.errorShare()),
                        s.duration("window", d.window()),
                        s.number("minimum", d.minimum()),
                        s.duration("open", d.open()),
                        s.flag("per-endpoint", d.perEndpoint())),
                d);
    }

    static BulkheadConfig bulkhead(Section s) {
        return s.build(
                () -> new BulkheadConfig(
                        s.required("concurrent", "a whole number, 1 or more").number(1)),
                new BulkheadConfig(1));
    }

    private static LimitConfig limit(Section s) {
        LimitConfig d = LimitConfig.DEFAULT;
        return s.build(
                () -> new LimitConfig(
                        s.get("adaptive").choice(d.adaptive(), LimitConfig.Adaptive.values()),
                        s.number("min", d.min()),
                        s.number("max", d.max())),
                d);
    }

    static SheddingConfig shedding(Section s) {
        SheddingConfig d = SheddingConfig.DEFAULT;
        return s.build(
                () -> new SheddingConfig(
                        s.duration("lag", d.lag()),
                        share(s, "direct-memory", d.directMemory()),
                        share(s, "heap", d.heap())),
                d);
    }

    static StallConfig stall(Section s) {
        StallConfig d = StallConfig.DEFAULT;
        return s.build(
                () -> new StallConfig(
                        s.duration("after", d.after()),
                        s.duration("not-ready", d.notReady()),
                        s.duration("exit", d.exit())),
                d);
    }

    private static Percent share(Section s, String key, Percent otherwise) {
        return s.get(key).measured(otherwise, Percent::parse);
    }
}
