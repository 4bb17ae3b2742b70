package dev.lychgate.server.yaml;

import dev.lychgate.config.PersistenceConfig;
import dev.lychgate.config.PersistenceConfig.ApplicationCookie;
import dev.lychgate.config.PersistenceConfig.GatewayCookie;
import dev.lychgate.config.SameSite;
import java.time.Duration;

/** Reads {@code persistence} of an upstream. */
final class PersistenceReader {
    private static final String FORMS = "none, client-ip, or a mapping of cookie or application-cookie";

    private PersistenceReader() {}

    static PersistenceConfig read(Element element) {
        if (element.isMapping()) {
            return element.section(s -> s.build(() -> cookie(s), PersistenceConfig.NONE));
        }
        return element.parsed(PersistenceConfig.NONE, PersistenceReader::plain);
    }

    private static PersistenceConfig cookie(Section s) {
        s.exactlyOne("cookie", "application-cookie");
        Element own = s.get("cookie");
        Element application = s.get("application-cookie");
        String secret = secret(s.required("secret", "a secret, such as ${PERSISTENCE_SECRET}"));
        if (application.present()) {
            // What else there is of a cookie the application says.
            return new ApplicationCookie(application.text("none"), secret);
        }
        return new GatewayCookie(
                own.text("none"),
                secret,
                s.flag("secure", false),
                s.get("same-site").parsed(SameSite.LAX, SameSite::parse),
                s.duration("max-age", Duration.ZERO));
    }

    private static String secret(Element element) {
        String given = element.secretOrNull();
        return given == null ? "absent-or-refused" : given;
    }

    private static PersistenceConfig plain(String text) {
        return switch (text) {
            case "none" -> PersistenceConfig.NONE;
            case "client-ip" -> new PersistenceConfig.ClientIp();
            default -> throw new IllegalArgumentException(FORMS);
        };
    }
}
