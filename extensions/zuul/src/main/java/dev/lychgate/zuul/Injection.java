package dev.lychgate.zuul;

import dev.lychgate.extension.FilterDialect;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Stream;

/** Refuses files with filters that need objects of an application context. */
final class Injection {
    /** The simple names of the annotations that request an injection. The packages of these annotations differ. */
    private static final Set<String> NAMES = Set.of("Autowired", "Inject", "Resource", "Value", "PersistenceContext");

    private Injection() {}

    /**
     * @throws FilterDialect.Refusal if a field or a method of the class or of a base class is annotated for
     *     injection
     */
    static void refuse(Class<?> filter) throws FilterDialect.Refusal {
        for (Class<?> type = filter; type != null; type = type.getSuperclass()) {
            String member = Stream.concat(
                            Arrays.stream(type.getDeclaredFields())
                                    .filter(Injection::isInjected)
                                    .map(field -> "field " + field.getName()),
                            Arrays.stream(type.getDeclaredMethods())
                                    .filter(Injection::isInjected)
                                    .map(method -> "method " + method.getName()))
                    .sorted()
                    .findFirst()
                    .orElse(null);
            if (member != null) {
                throw new FilterDialect.Refusal(
                        0,
                        member + " of class " + type.getName()
                                + " needs an injected object, but the gateway does not inject objects; create the"
                                + " object in the filter, or embed the gateway and pass the bean to"
                                + " LychgateBuilder.zuulFilters");
            }
        }
    }

    private static boolean isInjected(AnnotatedElement member) {
        return Arrays.stream(member.getDeclaredAnnotations())
                .map(Annotation::annotationType)
                .anyMatch(each -> NAMES.contains(each.getSimpleName()));
    }
}
