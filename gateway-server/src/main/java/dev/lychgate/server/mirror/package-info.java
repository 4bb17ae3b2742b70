/**
 * Compares the responses to copies of requests with the responses that clients receive, and groups the differences.
 * Event loops only queue pairs of responses; one thread compares them.
 */
@NullMarked
package dev.lychgate.server.mirror;

import org.jspecify.annotations.NullMarked;
