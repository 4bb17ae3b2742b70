package dev.lychgate.server.yaml;

import dev.lychgate.config.Algorithm;
import dev.lychgate.config.BalanceConfig;
import dev.lychgate.config.HashSource;
import dev.lychgate.config.Percent;
import org.jspecify.annotations.Nullable;

/** Reads {@code balance} of an upstream. */
final class BalanceReader {
    private static final String SOURCES = "path, client-ip, or a mapping of one of header, cookie and query";

    private BalanceReader() {}

    static BalanceConfig read(Section s) {
        BalanceConfig d = BalanceConfig.DEFAULT;
        return s.build(
                () -> new BalanceConfig(
                        s.get("algorithm").parsed(d.algorithm(), Algorithm::parse),
                        hash(s.get("hash")),
                        s.get("load-bound").measured(d.loadBound(), Percent::parse),
                        s.duration("slow-start", d.slowStart()),
                        s.get("zone").text(d.zone()),
                        s.get("spill-below").measured(d.spillBelow(), Percent::parse),
                        s.get("panic-below").measured(d.panicBelow(), Percent::parse)),
                d);
    }

    private static @Nullable HashSource hash(Element element) {
        if (element.isMapping()) {
            return element.section(s -> s.build(() -> named(s), new HashSource.Path()));
        }
        return element.present() ? element.parsed(new HashSource.Path(), BalanceReader::plain) : null;
    }

    private static HashSource named(Section s) {
        s.exactlyOne("header", "cookie", "query");
        Element header = s.get("header");
        Element cookie = s.get("cookie");
        Element query = s.get("query");
        if (header.present()) {
            return new HashSource.Header(header.text("none"));
        }
        if (cookie.present()) {
            return new HashSource.Cookie(cookie.text("none"));
        }
        return query.present() ? new HashSource.Query(query.text("none")) : new HashSource.Path();
    }

    private static HashSource plain(String text) {
        return switch (text) {
            case "path" -> new HashSource.Path();
            case "client-ip" -> new HashSource.ClientIp();
            default -> throw new IllegalArgumentException(SOURCES);
        };
    }
}
