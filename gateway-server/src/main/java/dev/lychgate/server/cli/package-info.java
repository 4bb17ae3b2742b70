/**
 * The command line: {@code run}, {@code check}, {@code routes}, {@code demo}, {@code origin}, and the clients of a running
 * gateway. Arguments arrive here. Each command reads settings and passes them to the engine, or queries an admin listener
 * and lets {@code terminal} render the response. A failure is one clear line (a list of lines for a faulty file) on standard
 * error and exit code 1, never a stack trace.
 */
@NullMarked
package dev.lychgate.server.cli;

import org.jspecify.annotations.NullMarked;
