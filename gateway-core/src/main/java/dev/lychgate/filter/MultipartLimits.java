package dev.lychgate.filter;

/**
 * Limits of a multipart body. A request with a body that exceeds one of the limits is rejected with 413.
 *
 * @param parts the maximum number of parts
 * @param header the maximum size of the header of one part, in bytes
 * @param total the maximum length of the body, in bytes
 */
public record MultipartLimits(int parts, int header, long total) {
    /**
     * The default: 1,000 parts with headers of 8 KiB each, and no limit for the whole body, because the body streams.
     */
    public static final MultipartLimits DEFAULT = new MultipartLimits(1000, 8 << 10, Long.MAX_VALUE);

    public MultipartLimits {
        if (parts < 1 || header < 1 || total < 1) {
            throw new IllegalArgumentException("the limits of a multipart body are out of range: parts=" + parts
                    + ", header=" + header + ", total=" + total + " (expected: each > 0)");
        }
    }

    public MultipartLimits parts(int most) {
        return new MultipartLimits(most, header, total);
    }

    public MultipartLimits header(int most) {
        return new MultipartLimits(parts, most, total);
    }

    public MultipartLimits total(long most) {
        return new MultipartLimits(parts, header, most);
    }
}
