/** Benchmarks of the access log, in its package since its types are not public. */
@NullMarked
package dev.lychgate.server.accesslog;

import org.jspecify.annotations.NullMarked;
