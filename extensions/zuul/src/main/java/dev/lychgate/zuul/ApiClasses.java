package dev.lychgate.zuul;

import dev.lychgate.config.ConfigException;
import java.security.CodeSource;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Finds out whether another jar on the class path has the classes of Zuul's API that the extension replaces. */
final class ApiClasses {
    private static final String BASE = "com.netflix.zuul.ZuulFilter";

    private ApiClasses() {}

    /** @throws ConfigException if the base class of filters does not belong to the extension */
    static void require() {
        String own = place(ApiClasses.class);
        String base;
        try {
            base = place(Class.forName(BASE, false, ApiClasses.class.getClassLoader()));
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
        if (!Objects.equals(own, base)) {
            throw new ConfigException(
                    "class path",
                    BASE + " from " + base,
                    "the class from " + own + "; remove the jar of Zuul from the class path");
        }
    }

    private static @Nullable String place(Class<?> type) {
        CodeSource source = type.getProtectionDomain().getCodeSource();
        return source == null || source.getLocation() == null
                ? null
                : source.getLocation().toString();
    }
}
