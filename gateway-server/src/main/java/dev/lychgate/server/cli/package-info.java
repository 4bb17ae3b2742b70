/**
 * The command line: {@code run}, {@code check}, {@code routes}, {@code demo}, {@code origin}. Arguments arrive here; each
 * command reads settings and hands them to the engine. A failure is one clear line (a list of lines for a faulty
 * file) on standard error and exit code 1, never a stack trace.
 */
@NullMarked
package dev.lychgate.server.cli;

import org.jspecify.annotations.NullMarked;
