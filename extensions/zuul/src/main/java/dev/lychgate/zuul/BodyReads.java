package dev.lychgate.zuul;

/**
 * The bodies that a filter reads.
 *
 * @param onlyForms whether the filter reads the request body only as the fields of a form
 * @param message whether the filter reads the body of a message of Zuul 2
 */
record BodyReads(boolean request, boolean onlyForms, boolean response, boolean message) {}
