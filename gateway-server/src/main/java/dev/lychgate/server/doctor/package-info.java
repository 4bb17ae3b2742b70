/**
 * Examines the machine and the configuration for problems that a gateway would have when it runs. {@code server.cli}
 * passes the configuration in, and prints the findings.
 */
@NullMarked
package dev.lychgate.server.doctor;

import org.jspecify.annotations.NullMarked;
