package dev.lychgate.server.admin;

import dev.lychgate.config.SecretNames;
import dev.lychgate.http.QueryParameters;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The values of parameters for the audit log and the history. In a header predicate, the value is masked if the field
 * may contain a credential. A malformed predicate is masked as a whole, because its field and its value can't be
 * distinguished.
 */
final class RecordedValues {
    /** A field name as in RFC 9110, section 5.6.2. */
    private static final Pattern NAME = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");

    private static final Pattern BY = Pattern.compile("request|client|(header|cookie):" + NAME.pattern());

    private RecordedValues() {}

    static List<String> of(Parameter<?> parameter, @Nullable String query) {
        List<String> values = QueryParameters.of(query, parameter.name());
        if (parameter.equals(FaultsPage.HEADER)) {
            return values.stream().map(RecordedValues::header).toList();
        }
        return parameter.equals(FaultsPage.BY)
                ? values.stream().map(by -> isBy(by) ? by : SecretNames.MASK).toList()
                : values;
    }

    /** Returns whether a header predicate has the form {@code name:value}. */
    static boolean isHeader(String value) {
        int colon = value.indexOf(':');
        return colon > 0 && NAME.matcher(value.substring(0, colon)).matches();
    }

    /** Returns whether a value has one of the valid forms of the parameter {@link FaultsPage#BY}. */
    static boolean isBy(String value) {
        return BY.matcher(value).matches();
    }

    private static String header(String value) {
        if (!isHeader(value)) {
            return SecretNames.MASK;
        }
        int colon = value.indexOf(':');
        return SecretNames.isSecretField(value.substring(0, colon))
                ? value.substring(0, colon + 1) + SecretNames.MASK
                : value;
    }
}
