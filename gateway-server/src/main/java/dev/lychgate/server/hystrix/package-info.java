/**
 * Produces the lines of the Hystrix event stream: for each upstream, its attempts as rolling metrics of Hystrix, and
 * its circuit breaker. Hystrix makes no decisions (docs/adr/0007). While a client reads the stream, a separate thread
 * reports counts to Hystrix.
 */
@NullMarked
package dev.lychgate.server.hystrix;

import org.jspecify.annotations.NullMarked;
