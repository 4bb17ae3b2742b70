package dev.lychgate.config;

/** Whether clients show certificates of their own. */
public enum ClientAuth {
    /** They are not asked. */
    NONE,
    /** They are asked, and may do without; one that is shown must be good. */
    OPTIONAL,
    /** Whoever shows none is not served. */
    REQUIRED
}
