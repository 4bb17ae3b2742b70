package dev.lychgate.exchange.filtering;

import dev.lychgate.chain.FilterSlot;
import dev.lychgate.exchange.state.FilterStage;
import dev.lychgate.filter.AttributeKey;
import java.util.Map;

/** The run of filters, as the views of an exchange need it. */
interface FilterTurn {
    /** Returns the stage that runs, or ran last. */
    FilterStage stage();

    /** Returns the filter that runs, or ran last. */
    FilterSlot slot();

    /** Returns whether the caller is a filter on the event loop that has its turn. */
    boolean hasTurn();

    /** Returns the values that filters keep on the exchange. */
    Map<AttributeKey<?>, Object> attributes();
}
