package dev.lychgate.server.terminal;

import java.util.List;

/**
 * A stretch of time within an exchange: a line of its waterfall.
 *
 * @param label what it was, indented by what it was a part of
 * @param rank which comes first of two that begin together: the smaller
 * @param start milliseconds from the request's head
 * @param length in milliseconds
 * @param remark a word on what it came to; empty = none
 * @param below what there is to say of it on lines of its own
 */
record Span(String label, int rank, double start, double length, String remark, List<String> below) {
    double end() {
        return start + length;
    }
}
