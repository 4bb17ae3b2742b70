package dev.lychgate.route;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Whether one route matches every request that another matches. Judged predicate by predicate, so a "yes" is certain; a
 * "no" may only mean that regular expressions can't be compared.
 */
final class Subsumption {
    private Subsumption() {}

    /** Whether {@code wide} matches all that {@code narrow} matches at its place. */
    static boolean covers(RouteOrder.Place wide, RouteOrder.Place narrow) {
        return coversPlace(wide, narrow) && coversFurther(wide.route(), narrow.route());
    }

    /** As {@link #covers}, by host and path alone. */
    static boolean coversPlace(RouteOrder.Place wide, RouteOrder.Place narrow) {
        return coversHost(wide.host(), narrow.host())
                && coversPath(wide.route().path(), narrow.route().path());
    }

    /** Whether both match the same paths under the same further predicates. */
    static boolean same(Route one, Route other) {
        return one.path().shape().equals(other.path().shape())
                && coversFurther(one, other)
                && coversFurther(other, one);
    }

    private static boolean coversHost(@Nullable HostPattern wide, @Nullable HostPattern narrow) {
        if (wide == null) {
            return true;
        }
        if (narrow == null) {
            return false;
        }
        return wide.equals(narrow)
                || (wide.kind() == HostPattern.Kind.WILDCARD && narrow.name().endsWith("." + wide.name()));
    }

    static boolean coversPath(PathPattern wide, PathPattern narrow) {
        if (wide instanceof PathPattern.Any) {
            return true;
        }
        if (narrow instanceof PathPattern.Exact exact) {
            return wide.matches(exact.path());
        }
        if (wide instanceof SegmentPath outer && narrow instanceof SegmentPath inner) {
            return coversSegments(outer, inner);
        }
        if (wide instanceof SegmentPath outer && narrow instanceof PathPattern.Regex inner) {
            return outer.segments().isEmpty() && outer.tail() == SegmentPath.Tail.OPEN && beginsWithSlash(inner);
        }
        return !(narrow instanceof PathPattern.Any) && wide.shape().equals(narrow.shape());
    }

    /** Whether each path that the expression matches begins with a slash. Alternatives count as no. */
    private static boolean beginsWithSlash(PathPattern.Regex regex) {
        String text = regex.pattern().pattern();
        return text.startsWith("/")
                && (text.length() == 1 || "?*{".indexOf(text.charAt(1)) < 0)
                && text.indexOf('|') < 0;
    }

    private static boolean coversSegments(SegmentPath wide, SegmentPath narrow) {
        boolean open = wide.tail() == SegmentPath.Tail.OPEN;
        int segments = wide.segments().size();
        if (narrow.segments().size() < segments
                || (!open
                        && (narrow.tail() == SegmentPath.Tail.OPEN
                                || narrow.segments().size() > segments))) {
            return false;
        }
        for (int i = 0; i < segments; i++) {
            String outer = wide.segments().get(i);
            String inner = narrow.segments().get(i);
            boolean covered = SegmentPath.isVariable(outer) ? !inner.isEmpty() : outer.equals(inner);
            if (!covered) {
                return false;
            }
        }
        return true;
    }

    private static boolean coversFurther(Route wide, Route narrow) {
        List<RoutePredicate> held = narrow.further();
        for (RoutePredicate needed : wide.further()) {
            if (held.stream().noneMatch(needed::coveredBy)) {
                return false;
            }
        }
        return true;
    }
}
