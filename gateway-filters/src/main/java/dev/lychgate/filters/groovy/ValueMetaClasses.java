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
 * Creates the metaclasses of the values that filters usually handle, before a filter runs. Groovy creates the metaclass
 * of a class when code first uses an object of the class as a condition or calls its methods dynamically. During the
 * creation, Groovy holds a lock, so that an event loop could wait several milliseconds for another event loop. This
 * class refers to the metaclasses permanently, because Groovy refers to them with soft references.
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
