/**
 * The demo: origins that fail and recover, files for the gateway to watch, and light traffic. {@code cli.DemoCommand}
 * starts {@link dev.lychgate.server.demo.Demo}, and then a gateway in front of its origins, in the same way as the
 * command {@code run}.
 */
@NullMarked
package dev.lychgate.server.demo;

import org.jspecify.annotations.NullMarked;
