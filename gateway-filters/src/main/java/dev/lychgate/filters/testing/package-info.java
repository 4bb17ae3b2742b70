/**
 * Tests of filters, without sockets and without real waiting times. {@link dev.lychgate.filters.testing.TestExchange}
 * sends a request through filters to a simulated origin. It uses a real exchange of the gateway, on the test's thread
 * and with a simulated clock. {@link dev.lychgate.filters.testing.TestResult} exposes the result. The package depends
 * on no test framework. The accessors of its classes are properties in Groovy.
 */
@NullMarked
package dev.lychgate.filters.testing;

import org.jspecify.annotations.NullMarked;
