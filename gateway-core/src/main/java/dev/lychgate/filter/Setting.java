package dev.lychgate.filter;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Describes a setting of a filter. A setting is a component of the record that the filter's constructor accepts, or a
 * declaration in the {@code settings} block of a script. The elements of this annotation contain texts in the syntax of
 * the configuration, such as {@code "64KiB"} or {@code "10s"}.
 *
 * <pre>
 * public final class Quota implements InboundFilter, SyncFilter {
 *     public record Settings(&#64;Setting(min = "1", max = "1000", defaultValue = "20") int size, Duration per) {}
 *
 *     public Quota(Settings settings) { … }
 * }
 * </pre>
 *
 * <p>The component {@code maxAge} is the setting {@code max-age}. A component without this annotation is required.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.RECORD_COMPONENT, ElementType.FIELD})
public @interface Setting {
    /** The value of {@link #defaultValue} for a setting without a default. */
    String NO_DEFAULT = "\0";

    /** Describes the setting in one sentence, without an initial capital and without a full stop. */
    String about() default "";

    /**
     * The least accepted number, duration or size; for a list, the least number of items. If only {@link #max} is set,
     * the minimum is 0.
     */
    String min() default "";

    /** The greatest accepted number, duration or size; for a list, the greatest number of items. */
    String max() default "";

    /**
     * The default value; for a list, the items of the default; {@code {}} for an empty list or mapping. A setting
     * without a default is required, unless it is {@link #optional}.
     */
    String[] defaultValue() default NO_DEFAULT;

    /**
     * Whether the setting may be absent although it has no default. An absent setting is null; an absent list or
     * mapping is empty.
     */
    boolean optional() default false;
}
