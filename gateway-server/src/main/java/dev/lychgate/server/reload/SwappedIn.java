package dev.lychgate.server.reload;

import dev.lychgate.generation.Generation;

/** A generation that was put in force. @param built what it was built from; an earlier generation may share it */
record SwappedIn(Generation generation, BuiltGeneration built) {}
