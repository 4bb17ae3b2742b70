/** Dynamic properties, in classes with the names that Archaius uses. */
@NullMarked
package com.netflix.config;

import org.jspecify.annotations.NullMarked;
