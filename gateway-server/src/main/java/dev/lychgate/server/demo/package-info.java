/**
 * The demo: origins that fail and recover, files for the gateway to watch, and light traffic. {@code cli.DemoCommand}
 * starts {@link dev.lychgate.server.demo.Demo}. Then the command starts a gateway in front of the demo's origins, like
 * the command {@code run}.
 */
@NullMarked
package dev.lychgate.server.demo;

import org.jspecify.annotations.NullMarked;
