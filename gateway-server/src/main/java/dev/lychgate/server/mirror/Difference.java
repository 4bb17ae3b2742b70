package dev.lychgate.server.mirror;

import dev.lychgate.server.metrics.MirrorTally;

/**
 * One difference between two responses.
 *
 * @param subject the pair of statuses, the field name, or the JSON path; {@code body} for bodies not compared as JSON
 * @param primary the value in the response of the route's origin, shortened and redacted
 * @param shadow the value in the response to the copy, shortened and redacted
 */
record Difference(MirrorTally.Kind kind, String subject, String primary, String shadow) {}
