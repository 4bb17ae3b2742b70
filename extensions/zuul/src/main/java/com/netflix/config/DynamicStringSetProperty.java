package com.netflix.config;

import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** A set of texts, separated by commas or by another delimiter. */
public class DynamicStringSetProperty extends PropertyText<Set<String>> {
    /** The default delimiter, a regular expression. */
    public static final String DEFAULT_DELIMITER = ",";

    private final Set<String> absent;
    private final Pattern delimiter;

    /** @param otherwise the text while the property is not set */
    public DynamicStringSetProperty(String name, String otherwise) {
        this(name, otherwise, DEFAULT_DELIMITER);
    }

    /** @param delimiterRegex a regular expression that matches delimiters */
    public DynamicStringSetProperty(String name, String otherwise, String delimiterRegex) {
        this(name, split(otherwise, Pattern.compile(delimiterRegex)), delimiterRegex);
    }

    /** @param otherwise the value while the property is not set */
    public DynamicStringSetProperty(String name, Set<String> otherwise) {
        this(name, otherwise, DEFAULT_DELIMITER);
    }

    /** @param delimiterRegex a regular expression that matches delimiters */
    public DynamicStringSetProperty(String name, Set<String> otherwise, String delimiterRegex) {
        super(name, otherwise);
        this.absent = otherwise;
        this.delimiter = Pattern.compile(delimiterRegex);
    }

    private static Set<String> split(String text, Pattern delimiter) {
        return Arrays.stream(delimiter.split(text, -1))
                .map(String::trim)
                .filter(part -> !part.isEmpty())
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    public Set<String> get() {
        return parsed(absent, text -> split(text, delimiter));
    }

    @Override
    public Set<String> getValue() {
        return get();
    }
}
