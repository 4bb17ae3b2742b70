package com.netflix.zuul;

import org.jspecify.annotations.Nullable;

/** The name of the application, which filters may set and read. The gateway does not use this name. */
public class ZuulApplicationInfo {
    @SuppressWarnings("NonFinalStaticField")
    public static volatile @Nullable String applicationName;

    @SuppressWarnings("NonFinalStaticField")
    public static volatile @Nullable String stack;

    public static @Nullable String getApplicationName() {
        return applicationName;
    }

    public static void setApplicationName(@Nullable String name) {
        applicationName = name;
    }

    public static @Nullable String getStack() {
        return stack;
    }

    public static void setStack(@Nullable String name) {
        stack = name;
    }
}
