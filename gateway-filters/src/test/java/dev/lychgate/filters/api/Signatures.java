package dev.lychgate.filters.api;

import java.lang.reflect.AnnotatedType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The API of a type: a line for itself, and one for each of its declared public and protected members, in an order that does
 * not depend on the compiler or the JDK. Types of {@code java} and of the gateway have no package.
 */
final class Signatures {
    private Signatures() {}

    static List<String> of(Class<?> type) {
        Stream<String> fields = Arrays.stream(type.getDeclaredFields())
                .filter(field -> isOpen(field.getModifiers()) && !field.isSynthetic())
                .map(Signatures::field);
        Stream<String> constructors = Arrays.stream(type.getDeclaredConstructors())
                .filter(constructor -> isOpen(constructor.getModifiers()) && !constructor.isSynthetic())
                .map(Signatures::constructor);
        Stream<String> methods = Arrays.stream(type.getDeclaredMethods())
                .filter(method -> isOpen(method.getModifiers()) && !method.isSynthetic())
                .map(Signatures::method);
        List<String> lines = new ArrayList<>();
        lines.add(head(type));
        Stream.of(fields, constructors, methods)
                .flatMap(Stream::sorted)
                .map(line -> "  " + line)
                .forEach(lines::add);
        return lines;
    }

    private static boolean isOpen(int modifiers) {
        return Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers);
    }

    private static String head(Class<?> type) {
        StringBuilder head = new StringBuilder();
        boolean plain = !type.isInterface() && !type.isEnum() && !type.isRecord();
        if (plain && Modifier.isAbstract(type.getModifiers())) {
            head.append("abstract ");
        }
        if (plain && Modifier.isFinal(type.getModifiers())) {
            head.append("final ");
        }
        if (type.isSealed()) {
            head.append("sealed ");
        }
        head.append(
                type.isInterface() ? "interface " : type.isEnum() ? "enum " : type.isRecord() ? "record " : "class ");
        head.append(type.getName()).append(parameters(type.getTypeParameters()));
        Type above = type.getGenericSuperclass();
        if (plain && above != null && above != Object.class) {
            head.append(" extends ").append(name(above));
        }
        if (type.getGenericInterfaces().length > 0) {
            head.append(type.isInterface() ? " extends " : " implements ").append(names(type.getGenericInterfaces()));
        }
        if (type.isSealed()) {
            Class<?>[] permitted = type.getPermittedSubclasses();
            // Compilers list them in different orders.
            Arrays.sort(permitted, Comparator.comparing(Class::getName));
            head.append(" permits ").append(names(permitted));
        }
        return head.toString();
    }

    private static String field(Field field) {
        String value = field.isEnumConstant()
                ? "constant "
                : modifiers(field.getModifiers(), false) + name(field.getAnnotatedType()) + " ";
        return value + field.getName();
    }

    private static String constructor(Constructor<?> constructor) {
        return modifiers(constructor.getModifiers(), false) + "new" + arguments(constructor);
    }

    private static String method(Method method) {
        String generic = parameters(method.getTypeParameters());
        return modifiers(method.getModifiers(), method.isDefault())
                + (generic.isEmpty() ? "" : generic + " ")
                + name(method.getAnnotatedReturnType())
                + " "
                + method.getName()
                + arguments(method);
    }

    private static String arguments(Executable of) {
        String list = Arrays.stream(of.getAnnotatedParameterTypes())
                .map(Signatures::name)
                .collect(Collectors.joining(", ", "(", ")"));
        String plain = of.isVarArgs() ? list.substring(0, list.length() - "[])".length()) + "...)" : list;
        return of.getGenericExceptionTypes().length == 0
                ? plain
                : plain + " throws " + names(of.getGenericExceptionTypes());
    }

    private static String modifiers(int modifiers, boolean isDefault) {
        return (Modifier.isProtected(modifiers) ? "protected " : "")
                + (Modifier.isStatic(modifiers) ? "static " : "")
                + (Modifier.isAbstract(modifiers) ? "abstract " : "")
                + (Modifier.isFinal(modifiers) ? "final " : "")
                + (isDefault ? "default " : "");
    }

    private static String parameters(TypeVariable<?>[] variables) {
        return variables.length == 0
                ? ""
                : Arrays.stream(variables)
                        .map(variable -> variable.getBounds()[0] == Object.class
                                ? variable.getName()
                                : variable.getName() + " extends " + names(variable.getBounds()))
                        .collect(Collectors.joining(", ", "<", ">"));
    }

    private static String names(Type[] types) {
        return Arrays.stream(types).map(Signatures::name).collect(Collectors.joining(", "));
    }

    private static String name(AnnotatedType type) {
        return (type.isAnnotationPresent(Nullable.class) ? "@Nullable " : "") + name(type.getType());
    }

    private static String name(Type type) {
        return type.getTypeName().replaceAll("\\b(java|dev\\.lychgate)(\\.[a-z]+)*\\.(?=[A-Z])", "");
    }
}
