/**
 * Assembly: the process around the gateway. {@link dev.lychgate.server.Main} hands the command line to {@code cli},
 * which reads settings ({@code yaml}), starts the gateway ({@code engine}) and drains it when the process is told to
 * stop. {@code origin} is a small web server to try and to measure against.
 */
@NullMarked
package dev.lychgate.server;

import org.jspecify.annotations.NullMarked;
