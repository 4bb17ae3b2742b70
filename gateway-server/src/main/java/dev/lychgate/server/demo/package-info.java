/**
 * The demo: origins that fail and recover, files for the gateway to watch, and light traffic. {@code cli.DemoCommand}
 * starts {@link dev.lychgate.server.demo.Demo}. It then starts a gateway in front of the demo's origins, as the command
 * {@code run} would.
 */
@NullMarked
package dev.lychgate.server.demo;

import org.jspecify.annotations.NullMarked;
