/**
 * How an exchange is known to be a part of a trace that spans many systems: what the client says of it, what origins are
 * told, and whether it is recorded. Commons: knows no station; what becomes of recorded exchanges is the concern of whoever
 * observes them.
 */
@NullMarked
package dev.lychgate.tracing;

import org.jspecify.annotations.NullMarked;
