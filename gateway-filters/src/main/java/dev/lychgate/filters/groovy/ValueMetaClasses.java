package dev.lychgate.filters.groovy;

import groovy.lang.MetaClass;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.codehaus.groovy.runtime.GStringImpl;
import org.codehaus.groovy.runtime.InvokerHelper;

/**
 * Creates the metaclasses of the values that filters usually handle, before a filter runs. Without this class, Groovy
 * would create a metaclass at its first use, and hold a lock meanwhile. Another event loop could wait several
 * milliseconds for this lock.
 *
 * <p>Groovy refers to metaclasses with soft references. Therefore, this class refers to them permanently.
 */
final class ValueMetaClasses {
    /**
     * The types of the values, including the classes of the collections that methods such as {@code List.of} return.
     */
    static final List<Class<?>> TYPES = List.of(
            String.class,
            GStringImpl.class,
            Boolean.class,
            Character.class,
            Integer.class,
            Long.class,
            Double.class,
            BigInteger.class,
            BigDecimal.class,
            ArrayList.class,
            HashMap.class,
            LinkedHashMap.class,
            TreeMap.class,
            HashSet.class,
            LinkedHashSet.class,
            List.of().getClass(),
            List.of(1).getClass(),
            Map.of().getClass(),
            Map.of(1, 1).getClass(),
            Set.of().getClass(),
            Set.of(1).getClass(),
            Optional.class,
            Duration.class,
            Instant.class);

    /** The metaclasses. This reference protects them from the garbage collector. */
    private static List<MetaClass> held = List.of();

    private ValueMetaClasses() {}

    /** Creates the metaclasses. In a process, only the first call has an effect. */
    static synchronized void create() {
        if (held.isEmpty()) {
            held = TYPES.stream().map(InvokerHelper::getMetaClass).toList();
        }
    }
}
