/**
 * The sources of secrets: files, variables of the environment, systemd credentials and encrypted values. The reader of the
 * configuration passes a {@link dev.lychgate.server.secrets.SecretReference} of the file, and receives a text, or a
 * {@link dev.lychgate.server.secrets.SecretException} that contains no part of a secret. Blocks; never used on event loops.
 */
@NullMarked
package dev.lychgate.server.secrets;

import org.jspecify.annotations.NullMarked;
