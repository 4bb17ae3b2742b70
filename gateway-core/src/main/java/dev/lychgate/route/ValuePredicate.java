package dev.lychgate.route;

/** A header, cookie or query parameter has a value that a pattern accepts. Subclasses find the values of a request. */
abstract sealed class ValuePredicate implements RoutePredicate
        permits HeaderPredicate, CookiePredicate, QueryPredicate {
    final String name;
    final ValuePattern value;
    private final String words;

    /**
     * @param section the key of the configuration: {@code headers}
     * @throws IllegalArgumentException with the expected form of the value
     */
    ValuePredicate(String section, String name, String text) {
        this.name = name;
        this.value = ValuePattern.parse(text);
        this.words = section + "." + name + ": " + text;
    }

    @Override
    public final boolean coveredBy(RoutePredicate held) {
        return held instanceof ValuePredicate other
                && getClass() == other.getClass()
                && name.equals(other.name)
                && value.covers(other.value);
    }

    @Override
    public final String describe() {
        return words;
    }
}
