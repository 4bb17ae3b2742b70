package dev.lychgate.filter;

/** A filter that sees requests, before they are answered or sent on. Says when, and nothing of how: the form is a second interface. */
public interface InboundFilter extends Filter {
    @Override
    default FilterPhase phase() {
        return FilterPhase.INBOUND;
    }
}
