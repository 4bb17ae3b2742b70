package dev.lychgate.zuul;

/**
 * The bodies that a filter reads.
 *
 * @param onlyForms whether the filter reads the request body only as the fields of a form
 */
record BodyReads(boolean request, boolean onlyForms, boolean response) {}
