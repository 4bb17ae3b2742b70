package com.netflix.zuul.stats.status;

import com.netflix.zuul.context.CommonContextKeys;
import com.netflix.zuul.context.SessionContext;
import com.netflix.zuul.message.ZuulMessage;
import com.netflix.zuul.message.http.HttpResponseMessage;
import org.jspecify.annotations.Nullable;

/** Reads and writes the category of an exchange in its context. Only filters use the category. */
public class StatusCategoryUtils {
    private StatusCategoryUtils() {}

    public static @Nullable StatusCategory getStatusCategory(ZuulMessage message) {
        return getStatusCategory(message.getContext());
    }

    public static @Nullable StatusCategory getStatusCategory(SessionContext context) {
        return context.get(CommonContextKeys.STATUS_CATEGORY);
    }

    public static void setStatusCategory(SessionContext context, StatusCategory category) {
        context.put(CommonContextKeys.STATUS_CATEGORY, category);
    }

    public static void clearStatusCategory(SessionContext context) {
        context.remove(CommonContextKeys.STATUS_CATEGORY);
    }

    public static @Nullable StatusCategory getOriginStatusCategory(SessionContext context) {
        return context.get(CommonContextKeys.ORIGIN_STATUS_CATEGORY);
    }

    public static void setOriginStatusCategory(SessionContext context, StatusCategory category) {
        context.put(CommonContextKeys.ORIGIN_STATUS_CATEGORY, category);
    }

    /** Sets the category, unless it is already a failure. */
    public static void storeStatusCategoryIfNotAlreadyFailure(
            SessionContext context, @Nullable StatusCategory category) {
        StatusCategory known = getStatusCategory(context);
        boolean failed = known != null && known.getGroup() == ZuulStatusCategoryGroup.FAILURE;
        if (category != null && !failed) {
            setStatusCategory(context, category);
        }
    }

    public static boolean isResponseHttpErrorStatus(@Nullable HttpResponseMessage response) {
        return response != null && isResponseHttpErrorStatus(response.getStatus());
    }

    public static boolean isResponseHttpErrorStatus(int status) {
        return status < 100 || status >= 500;
    }
}
