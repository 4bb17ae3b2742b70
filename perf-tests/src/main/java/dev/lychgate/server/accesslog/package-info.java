/** Benchmarks of the access log. They are in its package because its types are not public. */
@NullMarked
package dev.lychgate.server.accesslog;

import org.jspecify.annotations.NullMarked;
