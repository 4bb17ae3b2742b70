package dev.lychgate.filter;

/** A filter that sees answers, our own error answers included, before they are sent. Says when, and nothing of how: the form is a second interface. */
public interface OutboundFilter extends Filter {
    @Override
    default FilterPhase phase() {
        return FilterPhase.OUTBOUND;
    }
}
