/**
 * What the Hystrix dashboard reads: the attempts at each upstream as rolling metrics of Hystrix, and its circuit breaker, line
 * by line. Hystrix decides nothing here (docs/adr/0007): it is fed from counts, on a thread of its own, while somebody watches.
 */
@NullMarked
package dev.lychgate.server.hystrix;

import org.jspecify.annotations.NullMarked;
