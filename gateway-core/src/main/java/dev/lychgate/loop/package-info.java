/**
 * Services that an event loop provides to the objects that it runs: clock, deadlines, buffers and random numbers. All
 * stages of the request path use this package, which depends on none of them.
 */
@NullMarked
package dev.lychgate.loop;

import org.jspecify.annotations.NullMarked;
