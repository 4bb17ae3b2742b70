/**
 * Tests of filters, without sockets and without real waiting times. {@link dev.lychgate.filters.testing.TestExchange}
 * sends a request through filters and a real exchange of the gateway to a simulated origin, on the test's thread and
 * with a simulated clock. {@link dev.lychgate.filters.testing.TestResult} exposes the result. The package depends on no
 * test framework. The accessors of its classes are properties in Groovy.
 */
@NullMarked
package dev.lychgate.filters.testing;

import org.jspecify.annotations.NullMarked;
