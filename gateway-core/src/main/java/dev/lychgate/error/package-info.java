/**
 * Failures as values. A failure is classified where it occurs, as a {@link dev.lychgate.error.GatewayError}; only
 * {@link dev.lychgate.error.ErrorResponses} turns it into a status and a problem body.
 */
@NullMarked
package dev.lychgate.error;

import org.jspecify.annotations.NullMarked;
