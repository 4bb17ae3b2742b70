package dev.lychgate.route;

import dev.lychgate.http.CookieField;
import dev.lychgate.http.RequestHead;

/** A cookie has this value; of several cookies with the same name, any. Names and values are case-sensitive and not decoded. */
final class CookiePredicate implements RoutePredicate {
    private final String name;
    private final String text;
    private final ValuePattern value;

    /** @throws IllegalArgumentException with the expected form of the value */
    CookiePredicate(String name, String text) {
        this.name = name;
        this.text = text;
        this.value = ValuePattern.parse(text);
    }

    @Override
    public boolean test(RequestHead head, Ingress ingress) {
        for (String given : CookieField.values(head.headers(), name)) {
            if (value.matches(given)) {
                return true;
            }
        }
        return false;
    }

    @Override
    public boolean coveredBy(RoutePredicate held) {
        return held instanceof CookiePredicate cookie && name.equals(cookie.name) && value.covers(cookie.value);
    }

    @Override
    public String describe() {
        return "cookies." + name + ": " + text;
    }
}
