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
 * The metaclasses of the values that filters usually handle. Groovy creates the metaclass of a class when code first
 * uses an object of the class as a condition or calls its methods dynamically. It holds a lock meanwhile, so that an
 * event loop would wait for another one, for several milliseconds. These metaclasses are therefore created before a
 * filter runs. This class refers to them permanently, because Groovy has only soft references to them.
 */
final class ValueMetaClasses {
    /** The types of the values, including the classes of the collections that methods such as {@code List.of} return. */
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

    /** Keeps the metaclasses from the garbage collector. */
    private static List<MetaClass> held = List.of();

    private ValueMetaClasses() {}

    /** Creates the metaclasses, once per process. */
    static synchronized void create() {
        if (held.isEmpty()) {
            held = TYPES.stream().map(InvokerHelper::getMetaClass).toList();
        }
    }
}
