package dev.lychgate.server.reload;

import dev.lychgate.generation.Generation;

/**
 * A generation that was put into force.
 *
 * @param built the parts of the generation, which an earlier generation may share
 */
record SwappedIn(Generation generation, BuiltGeneration built) {}
