package dev.lychgate.route;

import dev.lychgate.http.RequestHead;
import java.util.Iterator;
import java.util.Locale;

/** A header field is there with this value; of several lines of the same name, any. Names don't tell case apart, values do. */
final class HeaderPredicate extends ValuePredicate {
    HeaderPredicate(String name, String text) {
        super("headers", name.toLowerCase(Locale.ROOT), text);
    }

    @Override
    public boolean test(RequestHead head, Ingress ingress) {
        // The two plain forms are answered by the fields themselves, without an iterator.
        if (value instanceof ValuePattern.Exact exact) {
            return head.headers().contains(name, exact.expected(), false);
        }
        if (value instanceof ValuePattern.Any) {
            return head.headers().contains(name);
        }
        Iterator<? extends CharSequence> values = head.headers().valueCharSequenceIterator(name);
        while (values.hasNext()) {
            if (value.matches(values.next())) {
                return true;
            }
        }
        return false;
    }
}
