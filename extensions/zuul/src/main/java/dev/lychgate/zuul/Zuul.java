package dev.lychgate.zuul;

import dev.lychgate.config.Keys;
import dev.lychgate.extension.ContributedFilter;
import dev.lychgate.extension.Extension;
import dev.lychgate.extension.FilterDialect;
import java.util.List;

/** The extension {@code zuul}. */
public final class Zuul implements Extension<ZuulSettings, ZuulSettings> {
    @Override
    public Keys<ZuulSettings> keys() {
        return ZuulSettings.KEYS;
    }

    @Override
    public List<ContributedFilter<ZuulSettings, ?>> filters() {
        return List.of();
    }

    @Override
    public FilterDialect dialect(ZuulSettings settings) {
        ApiClasses.require();
        return new ZuulDialect(settings);
    }

    @Override
    public ZuulSettings open(ZuulSettings settings) {
        return settings;
    }
}
