/**
 * The command line: {@code run}, {@code check}, {@code routes}, {@code demo}, {@code origin}, and what asks a running gateway.
 * Arguments arrive here; each command reads settings and hands them to the engine, or asks an admin listener and has
 * {@code terminal} draw what it says. A failure is one clear line (a list of lines for a faulty
 * file) on standard error and exit code 1, never a stack trace.
 */
@NullMarked
package dev.lychgate.server.cli;

import org.jspecify.annotations.NullMarked;
