/**
 * The sources of secrets: files, variables of the environment, systemd credentials and encrypted values. The reader of
 * the configuration passes each {@link dev.lychgate.server.secrets.SecretReference} that a file contains. It receives
 * the text of the secret, or a {@link dev.lychgate.server.secrets.SecretException} that contains no part of the secret.
 * Blocks; never used on event loops.
 */
@NullMarked
package dev.lychgate.server.secrets;

import org.jspecify.annotations.NullMarked;
