package dev.lychgate.server.accesslog;

/** The subject of a line of the access log. */
sealed interface LoggedItem permits AccessRecord, LoggedChange {}
