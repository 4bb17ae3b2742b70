/**
 * Services that an event loop provides to the objects that live on it: clock, deadlines, buffers and random numbers.
 * Shared by all stages of the request path; depends on none of them.
 */
@NullMarked
package dev.lychgate.loop;

import org.jspecify.annotations.NullMarked;
