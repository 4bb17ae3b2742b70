package dev.lychgate.server.mirror;

import dev.lychgate.server.metrics.MirrorTally;

/**
 * One difference of two responses.
 *
 * @param subject the pair of statuses, the field name, or the JSON path; {@code body} for other bodies
 * @param primary the value of the route's origin, shortened and redacted
 * @param shadow the value of the upstream of the copy, likewise
 */
record Difference(MirrorTally.Kind kind, String subject, String primary, String shadow) {}
