package dev.lychgate.filters.settings;

import com.google.re2j.Pattern;
import dev.lychgate.config.ByteSize;
import dev.lychgate.config.ConfigException;
import dev.lychgate.config.Form;
import dev.lychgate.config.Key;
import dev.lychgate.config.Percent;
import dev.lychgate.config.RegularExpression;
import dev.lychgate.config.Secret;
import dev.lychgate.config.SecretNames;
import dev.lychgate.filter.Setting;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Converts the settings of a filter to keys. A record, or the fields of a script, declare the settings. Error messages
 * are for the author of the filter.
 */
public final class DeclaredSettings {
    private static final String TYPES =
            "int, long, BigDecimal, boolean, String, Secret, Duration, ByteSize, Percent, com.google.re2j.Pattern,"
                    + " an enum, or a List or a Map<String, …> of one of them";

    /**
     * The names of methods that Groovy adds to records. A method with such a name hides the accessor of a component
     * with the same name.
     */
    private static final Set<String> OF_GROOVY = Set.of("size", "toList", "toMap");

    private static final Map<Type, Form<?>> FORMS = Map.ofEntries(
            Map.entry(int.class, Form.NUMBER),
            Map.entry(Integer.class, Form.NUMBER),
            Map.entry(long.class, Form.LONG),
            Map.entry(Long.class, Form.LONG),
            Map.entry(BigDecimal.class, Form.DECIMAL),
            Map.entry(boolean.class, Form.FLAG),
            Map.entry(Boolean.class, Form.FLAG),
            Map.entry(String.class, Form.TEXT),
            Map.entry(Secret.class, Form.SECRET.called("secret text").meaning(DeclaredSettings::secret)),
            Map.entry(Duration.class, Form.DURATION),
            Map.entry(ByteSize.class, Form.SIZE),
            Map.entry(Percent.class, Form.PERCENT),
            Map.entry(Pattern.class, Form.REGEX.meaning(RegularExpression::compile)));

    private DeclaredSettings() {}

    /** Refuses an empty secret, because it would equal an empty credential of a client. */
    private static Secret secret(String text) {
        if (text.isEmpty()) {
            throw new IllegalArgumentException("a text that is not empty");
        }
        return new Secret(text);
    }

    /** Reports a declaration that can't be a setting. */
    public static final class DeclarationException extends IllegalArgumentException {
        private static final long serialVersionUID = 1L;

        private final String setting;

        private DeclarationException(String setting, IllegalArgumentException cause) {
            super(cause.getMessage(), cause);
            this.setting = setting;
        }

        /** Returns the name that the setting has in the configuration. */
        public String setting() {
            return setting;
        }
    }

    /**
     * Returns a key for each component of a record.
     *
     * @throws DeclarationException if a component can't be a setting
     */
    public static List<Key<?>> of(Class<?> record) {
        List<Key<?>> keys = new ArrayList<>();
        // A record that Groovy has compiled is recognized by its method getAt(int), because it implements no interface
        // of Groovy.
        boolean isGroovy = Arrays.stream(record.getDeclaredMethods())
                .anyMatch(method -> method.getName().equals("getAt"));
        for (RecordComponent component : record.getRecordComponents()) {
            if (isGroovy && OF_GROOVY.contains(component.getName())) {
                throw new IllegalArgumentException("setting " + name(component.getName())
                        + " has the name of a method that Groovy adds to each record (expected: another name)");
            }
            keys.add(key(component.getName(), component.getGenericType(), setting(record, component)));
        }
        return List.copyOf(keys);
    }

    /**
     * Returns the annotation of a component. Groovy's compiler moves the annotation of a component to the field of the
     * component.
     */
    private static @Nullable Setting setting(Class<?> record, RecordComponent component) {
        Setting own = component.getAnnotation(Setting.class);
        try {
            Field field = record.getDeclaredField(component.getName());
            return own != null ? own : field.getAnnotation(Setting.class);
        } catch (NoSuchFieldException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * Returns a key for each field.
     *
     * @throws DeclarationException if a field can't be a setting
     */
    public static List<Key<?>> of(List<Field> fields) {
        List<Key<?>> keys = new ArrayList<>();
        fields.forEach(field -> keys.add(
                key(field.getName(), field.getGenericType(), ((AnnotatedElement) field).getAnnotation(Setting.class))));
        return List.copyOf(keys);
    }

    /**
     * Creates a record with these values.
     *
     * @throws ReflectiveOperationException if the constructor of the record fails
     */
    public static Object record(Class<?> record, SettingValues values) throws ReflectiveOperationException {
        Class<?>[] types = Arrays.stream(record.getRecordComponents())
                .map(RecordComponent::getType)
                .toArray(Class<?>[]::new);
        Constructor<?> canonical = record.getDeclaredConstructor(types);
        canonical.setAccessible(true);
        return canonical.newInstance(values.all().values().toArray());
    }

    /**
     * Converts the name of a component or field to the name of its setting in the configuration, such as {@code maxAge}
     * to {@code max-age}.
     */
    public static String name(String javaName) {
        return javaName.replaceAll("([a-z0-9])([A-Z])", "$1-$2").toLowerCase(Locale.ROOT);
    }

    private static Key<?> key(String javaName, Type type, @Nullable Setting said) {
        String name = name(javaName);
        try {
            Form<?> form = form(type);
            if (form == null) {
                throw new IllegalArgumentException(
                        "setting " + name + " has the type " + type.getTypeName() + " (expected: " + TYPES + ")");
            }
            Form<?> item = form.item() == null ? form : form.item();
            if (item.kind() == Form.Kind.SECRET && !SecretNames.isSecret(name)) {
                throw new IllegalArgumentException(
                        "setting " + name + " has the type Secret and a name that pages do not mask"
                                + " (expected: a name that ends with password, secret, token, credentials or key)");
            }
            return key(name, form, said, type instanceof Class<?> plain && plain.isPrimitive());
        } catch (IllegalArgumentException e) {
            throw new DeclarationException(name, e);
        }
    }

    private static <T> Key<T> key(String name, Form<T> form, @Nullable Setting said, boolean primitive) {
        Key<T> key = Key.typed(name, form, null);
        if (said == null) {
            return key.required(words(key));
        }
        bound(key, said);
        if (said.defaultValue().length != 1 || !said.defaultValue()[0].equals(Setting.NO_DEFAULT)) {
            key = Key.typed(name, key.form(), otherwise(key, said.defaultValue()));
        } else if (said.optional() && primitive) {
            throw new IllegalArgumentException("setting " + name + " is optional, but its primitive type has no null");
        } else if (said.optional()) {
            key = Key.typed(name, key.form(), empty(key.form()));
        } else {
            key.required(said.about().isEmpty() ? words(key) : said.about());
        }
        return key.about(said.about());
    }

    /** Describes the type and the range of a key in words. */
    private static String words(Key<?> key) {
        String range = key.form().expected();
        String type = key.form().words().replace("`", "");
        return range == null || range.startsWith(">= 0 ") ? "a " + type : "a " + type + ", " + range;
    }

    private static void bound(Key<?> key, Setting said) {
        String min = said.min();
        String max = said.max();
        if (min.isEmpty() && max.isEmpty()) {
            return;
        }
        boolean list = key.form().kind() == Form.Kind.LIST;
        if (!list && key.form().kind() != Form.Kind.NUMBER && key.form().kind() != Form.Kind.AMOUNT) {
            throw new IllegalArgumentException("setting " + key.name()
                    + " has a minimum or a maximum (expected: only for numbers, durations, sizes and lists)");
        }
        Form<?> form = list ? Form.NUMBER : key.form();
        long lowest = min.isEmpty() ? 0 : amount(key.name(), form, "minimum", min);
        long highest = max.isEmpty() ? Long.MAX_VALUE : amount(key.name(), form, "maximum", max);
        if (lowest > highest) {
            throw new IllegalArgumentException("the minimum of setting " + key.name() + ": "
                    + (min.isEmpty() ? "0" : min) + " (expected: at most the maximum, " + max + ")");
        }
        Object least = list ? (Object) (int) lowest : min.isEmpty() ? "0" : min;
        if (max.isEmpty()) {
            key.atLeast(least);
        } else {
            key.between(least, list ? (Object) (int) highest : max);
        }
    }

    private static <T> long amount(String setting, Form<T> form, String bound, String written) {
        Key<T> key = Key.typed(setting, form, null);
        SettingValues values = SettingValues.of(List.of(key), Map.of(setting, written));
        if (!values.faults().isEmpty()) {
            throw new IllegalArgumentException(
                    "the " + bound + " of setting " + values.faults().get(0).getMessage());
        }
        return form.measure().applyAsLong(form.parse().apply(written));
    }

    @SuppressWarnings({"unchecked", "NullAway"})
    private static <T> T otherwise(Key<T> key, String[] written) {
        Object value = switch (key.form().kind()) {
            case LIST -> List.of(written);
            case MAPPING -> written.length == 0 ? Map.of() : "a list";
            default -> written.length == 1 ? written[0] : written.length == 0 ? List.of() : "a list";
        };
        SettingValues values = SettingValues.of(List.of(key), Map.of(key.name(), value));
        if (!values.faults().isEmpty()) {
            ConfigException fault = values.faults().get(0);
            throw new IllegalArgumentException("the default of setting " + fault.getMessage());
        }
        return (T) values.value(key.name());
    }

    @SuppressWarnings("unchecked")
    private static <T> @Nullable T empty(Form<T> form) {
        return switch (form.kind()) {
            case LIST -> (T) Collections.emptyList();
            case MAPPING -> (T) Map.of();
            default -> null;
        };
    }

    private static @Nullable Form<?> form(Type type) {
        Form<?> plain = FORMS.get(type);
        if (plain != null) {
            return plain;
        }
        if (type instanceof Class<?> named && named.isEnum()) {
            return choice(named);
        }
        if (type instanceof ParameterizedType generic) {
            Type[] of = generic.getActualTypeArguments();
            Form<?> item = FORMS.containsKey(of[of.length - 1]) || of[of.length - 1] instanceof Class<?>
                    ? form(of[of.length - 1])
                    : null;
            if (item != null && generic.getRawType() == List.class) {
                return Form.oneOrList(item);
            }
            if (item != null && generic.getRawType() == Map.class && of[0] == String.class) {
                return Form.mapping(item, "name").called("mapping of " + item.words() + "s");
            }
        }
        return null;
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static Form<?> choice(Class<?> type) {
        return Form.choice((Class) type, constant -> label((Enum<?>) constant));
    }

    private static String label(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
