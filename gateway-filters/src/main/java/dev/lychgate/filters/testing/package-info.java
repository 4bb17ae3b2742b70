/**
 * Tests of filters without sockets and waiting: {@link dev.lychgate.filters.testing.TestExchange} makes a request up, sends
 * it through filters and the gateway's own exchange to an origin that answers as the test says, on the test's thread and
 * under a clock of its own; {@link dev.lychgate.filters.testing.TestResult} tells what came of it. Knows no test framework;
 * its accessors are those that Groovy takes for properties.
 */
@NullMarked
package dev.lychgate.filters.testing;

import org.jspecify.annotations.NullMarked;
