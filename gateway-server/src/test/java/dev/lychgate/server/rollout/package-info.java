@NullMarked
package dev.lychgate.server.rollout;

import org.jspecify.annotations.NullMarked;
