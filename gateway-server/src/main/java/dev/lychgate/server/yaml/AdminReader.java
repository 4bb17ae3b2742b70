package dev.lychgate.server.yaml;

import dev.lychgate.config.AdminConfig;
import dev.lychgate.config.BindAddress;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Reads {@code admin}. Paths are relative to the configuration file. */
final class AdminReader {
    private static final BindAddress ANYWHERE = new BindAddress("127.0.0.1", 0);

    private final String file;

    /** @param file the configuration file */
    AdminReader(String file) {
        this.file = file;
    }

    /** Null if nothing stands there. */
    @Nullable
    AdminConfig read(Element element) {
        return element.sectionOrNull(s -> s.build(
                () -> new AdminConfig(
                        s.required("address", "host:port, such as 127.0.0.1:8081")
                                .parsed(ANYWHERE, BindAddress::parse),
                        s.get("token").secretOrNull(),
                        path(s.get("token-file")),
                        new TlsReader(file).admin(s.get("tls"))),
                new AdminConfig(ANYWHERE)));
    }

    private @Nullable String path(Element element) {
        return element.present()
                ? element.parsed(
                        "none", text -> Path.of(file).resolveSibling(text).toString())
                : null;
    }
}
