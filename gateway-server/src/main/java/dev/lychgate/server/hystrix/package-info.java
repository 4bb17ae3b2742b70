/**
 * The data of the Hystrix dashboard: the attempts at each upstream as rolling metrics of Hystrix, and its circuit breaker,
 * line by line. Hystrix decides nothing here (docs/adr/0007): counts feed it on a separate thread while a client watches.
 */
@NullMarked
package dev.lychgate.server.hystrix;

import org.jspecify.annotations.NullMarked;
