package dev.lychgate.filters.builtin;

import dev.lychgate.config.ConfigException;
import dev.lychgate.filter.OutboundFilter;
import dev.lychgate.http.ResponseHead;

/** Sets one field of every answer, our own error answers included, in place of what the origin sent under that name. */
public final class SetResponseHeader implements OutboundFilter {
    private final Field field;

    /**
     * @param name a field name that is none of framing or connection
     * @param value visible ASCII, blanks and tabs
     * @throws ConfigException if one of them can't be used
     */
    public SetResponseHeader(String name, String value) {
        this.field = Field.of(name, value);
    }

    @Override
    public String name() {
        return "set-response-header " + field.name();
    }

    @Override
    public void filter(ResponseHead head) {
        head.headers().set(field.name(), field.value());
    }
}
