/**
 * The sources of secrets: files, variables of the environment, systemd credentials and encrypted values.
 *
 * <p>The reader of the configuration asks this package for each {@link dev.lychgate.server.secrets.SecretReference} in
 * a file. The result is the text of the secret, or a {@link dev.lychgate.server.secrets.SecretException} without any
 * part of the secret. Methods block and are never called on event loops.
 */
@NullMarked
package dev.lychgate.server.secrets;

import org.jspecify.annotations.NullMarked;
