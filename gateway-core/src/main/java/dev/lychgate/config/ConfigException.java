package dev.lychgate.config;

/**
 * Thrown for a refused setting. The message has the form {@code key: value (expected: values)}. A reader of
 * configuration files prepends file, line and column.
 */
public final class ConfigException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    private final String key;
    private final String value;
    private final String expected;

    /**
     * @param key the key in the file, such as {@code connections}, or a path of keys that starts at the record that
     *     refused the value
     * @param value the refused value as text
     * @param expected the accepted values, such as {@code > 0}
     */
    public ConfigException(String key, Object value, String expected) {
        super(key + ": " + value + " (expected: " + expected + ")");
        this.key = key;
        this.value = String.valueOf(value);
        this.expected = expected;
    }

    /** @param cause the exception of the code that refused the setting */
    public ConfigException(String key, Object value, String expected, Throwable cause) {
        this(key, value, expected);
        initCause(cause);
    }

    public String key() {
        return key;
    }

    public String value() {
        return value;
    }

    public String expected() {
        return expected;
    }
}
