/**
 * The command line: {@code run}, {@code check}, {@code routes}, {@code demo}, {@code origin}, and commands that query
 * or change a running gateway. This package parses the arguments of the process. A command reads settings and passes
 * them to the engine, or queries an admin listener and lets {@code terminal} render the response. A command that fails
 * prints one line on standard error, or several lines if a file has several errors. It never prints a stack trace, and
 * ends with a code from {@link ExitCode}.
 */
@NullMarked
package dev.lychgate.server.cli;

import org.jspecify.annotations.NullMarked;
