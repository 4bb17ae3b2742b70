/**
 * Failures as values. A failure is classified where it occurs, as a {@link dev.lychgate.error.GatewayError}. {@link
 * dev.lychgate.error.ErrorResponses} maps the error to an HTTP status and a problem body; {@link
 * dev.lychgate.error.GrpcStatus} maps the error to a gRPC status.
 */
@NullMarked
package dev.lychgate.error;

import org.jspecify.annotations.NullMarked;
