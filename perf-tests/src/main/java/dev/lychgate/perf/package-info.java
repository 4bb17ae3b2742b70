/**
 * Benchmarks of single parts, run by JMH. {@code mvn -q -pl perf-tests -am package -DskipTests}, then
 * {@code java -jar perf-tests/target/benchmarks.jar [name]}; {@code -prof gc} adds bytes per call.
 */
@NullMarked
package dev.lychgate.perf;

import org.jspecify.annotations.NullMarked;
