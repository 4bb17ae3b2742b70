/**
 * The demo: origins that fail and recover, files for the gateway to watch, and light traffic. {@code cli.DemoCommand}
 * starts {@link dev.lychgate.server.demo.Demo} and, as the command {@code run} would, a gateway in front of it.
 */
@NullMarked
package dev.lychgate.server.demo;

import org.jspecify.annotations.NullMarked;
