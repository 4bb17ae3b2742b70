package dev.lychgate.route;

import dev.lychgate.http.CookieField;
import dev.lychgate.http.RequestHead;

/** A cookie has this value; of several cookies with the same name, any. Names and values are case-sensitive and not decoded. */
final class CookiePredicate extends ValuePredicate {
    CookiePredicate(String name, String text) {
        super("cookies", name, text);
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
}
