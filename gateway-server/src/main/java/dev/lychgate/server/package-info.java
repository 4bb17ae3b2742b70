/**
 * The process around the gateway. {@link dev.lychgate.server.Main} passes the command line to {@code cli}, which reads
 * the settings ({@code yaml}), starts the gateway ({@code engine}) and drains it on a signal. {@code origin} is a small
 * web server for trials and measurements.
 */
@NullMarked
package dev.lychgate.server;

import org.jspecify.annotations.NullMarked;
