/**
 * The command line: {@code run}, {@code check}, {@code routes}, {@code demo}, {@code origin}, and commands that query
 * or change a running gateway. A command reads settings and passes them to the engine, or it queries an admin listener
 * and lets {@code terminal} render the response.
 *
 * <p>A command ends with a code from {@link ExitCode}. If it fails, it prints one line on standard error, or one line
 * for each error in a file. Stack traces are never printed.
 */
@NullMarked
package dev.lychgate.server.cli;

import org.jspecify.annotations.NullMarked;
