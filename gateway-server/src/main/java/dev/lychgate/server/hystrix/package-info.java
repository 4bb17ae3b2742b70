/**
 * The data of the Hystrix dashboard, line by line: the attempts at each upstream as rolling metrics of Hystrix, and the
 * upstream's circuit breaker. Hystrix makes no decisions (docs/adr/0007). While a client watches, a separate thread
 * feeds counts into it.
 */
@NullMarked
package dev.lychgate.server.hystrix;

import org.jspecify.annotations.NullMarked;
