/**
 * Failure as a value. A fault is classified where it happens into a {@link dev.lychgate.error.GatewayError}; it becomes
 * a status and a problem body in {@link dev.lychgate.error.ErrorResponses} and nowhere else.
 */
@NullMarked
package dev.lychgate.error;

import org.jspecify.annotations.NullMarked;
