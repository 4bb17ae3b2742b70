/**
 * Station <em>resilience</em>: may we try, may we try again. What arrives is a failure and what is known of the request,
 * what leaves is a decision; the pool comes next.
 */
@NullMarked
package dev.lychgate.resilience;

import org.jspecify.annotations.NullMarked;
