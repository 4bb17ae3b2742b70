@NullMarked
package dev.lychgate.server.yaml;

import org.jspecify.annotations.NullMarked;
