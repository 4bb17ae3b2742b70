package dev.lychgate.server.reload;

import dev.lychgate.generation.Generation;

/** A generation that was put in force. @param built the parts that it was built from; an earlier generation may share them */
record SwappedIn(Generation generation, BuiltGeneration built) {}
