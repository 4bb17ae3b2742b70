package dev.lychgate.zuul;

import dev.lychgate.extension.FilterDialect;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Filters of Zuul 1 and Zuul 2: their classes extend {@code ZuulFilter} or {@code BaseFilter}. */
final class ZuulDialect implements FilterDialect {
    private static final List<String> PACKAGES = List.of(
            "com.netflix.zuul.",
            "com.netflix.config.",
            "com.netflix.util.",
            "javax.servlet.",
            "org.springframework.cloud.netflix.zuul.filters.support.");
    private static final Set<String> BASES =
            Set.of("com.netflix.zuul.ZuulFilter", "com.netflix.zuul.filters.BaseFilter");

    /** Finds imports of test libraries. Classes that use these libraries are not compiled. */
    private static final Pattern TEST_IMPORTS =
            Pattern.compile("(?m)^[ \\t]*import[ \\t]+(static[ \\t]+)?((org\\.(junit|mockito|hamcrest)|junit)\\."
                    + "|com\\.netflix\\.zuul\\.(filters\\.BaseFilterTest|monitoring\\.MonitoringHelper)).*$");

    private static final List<String> TEST_ANNOTATIONS = List.of("RunWith", "Test");

    private final ZuulSettings settings;

    ZuulDialect(ZuulSettings settings) {
        this.settings = settings;
    }

    @Override
    public List<String> packages() {
        return PACKAGES;
    }

    @Override
    public boolean isBase(String className) {
        return BASES.contains(className);
    }

    @Override
    public String prepared(String text) {
        return TEST_IMPORTS.matcher(text).replaceAll("");
    }

    @Override
    public List<String> testAnnotations() {
        return TEST_ANNOTATIONS;
    }

    @Override
    public @Nullable String leftOut(String file, String text) {
        return Plumbing.reason(text, settings.keep());
    }

    @Override
    public @Nullable String remedy(String className) {
        return Remedies.of(className);
    }

    @Override
    public Generation begin() {
        return new ZuulGeneration(settings);
    }
}
