/** Dynamic properties, as Archaius names them. */
@NullMarked
package com.netflix.config;

import org.jspecify.annotations.NullMarked;
