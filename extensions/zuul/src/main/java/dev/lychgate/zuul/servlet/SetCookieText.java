package dev.lychgate.zuul.servlet;

import javax.servlet.http.Cookie;

/** The value of Set-Cookie for a cookie. */
final class SetCookieText {
    private SetCookieText() {}

    static String of(Cookie cookie) {
        StringBuilder text = new StringBuilder(cookie.getName()).append('=').append(cookie.getValue());
        if (cookie.getPath() != null) {
            text.append("; Path=").append(cookie.getPath());
        }
        if (cookie.getDomain() != null) {
            text.append("; Domain=").append(cookie.getDomain());
        }
        if (cookie.getMaxAge() >= 0) {
            text.append("; Max-Age=").append(cookie.getMaxAge());
        }
        if (cookie.getSecure()) {
            text.append("; Secure");
        }
        if (cookie.isHttpOnly()) {
            text.append("; HttpOnly");
        }
        return text.toString();
    }
}
