/**
 * Examines the filters and properties of another gateway. Input: a directory of sources and properties. Output: a
 * report for each file, and a configuration. No code of the directory is run.
 */
@NullMarked
package dev.lychgate.server.migrate;

import org.jspecify.annotations.NullMarked;
