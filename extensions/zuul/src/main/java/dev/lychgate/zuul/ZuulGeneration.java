package dev.lychgate.zuul;

import com.netflix.zuul.ZuulFilter;
import com.netflix.zuul.filters.FilterType;
import com.netflix.zuul.message.ZuulMessage;
import dev.lychgate.config.ConfigException;
import dev.lychgate.extension.FilterDialect;
import dev.lychgate.filter.Filter;
import dev.lychgate.filter.FilterPhase;
import dev.lychgate.zuul.bound.BoundGeneration;
import java.io.IOException;
import java.io.Reader;
import java.lang.reflect.Constructor;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The Zuul filters of one generation, and the properties of this generation. */
final class ZuulGeneration implements FilterDialect.Generation, BoundGeneration {
    private static final Logger LOG = LoggerFactory.getLogger(ZuulGeneration.class);
    private static final Map<String, FilterPhase> PHASES = Map.of(
            "pre", FilterPhase.INBOUND,
            "route", FilterPhase.ENDPOINT,
            "post", FilterPhase.OUTBOUND,
            "error", FilterPhase.ERROR);
    /** The order of filters of a type. Zuul itself does not sort filters of equal order. */
    private static final Comparator<Typed> BY_ORDER = Comparator.comparingInt(Typed::order)
            .thenComparing(each -> each.filter().getClass().getSimpleName());

    private final ZuulSettings settings;
    private final Map<String, String> properties;
    private final List<Typed> filters = new CopyOnWriteArrayList<>();
    private final List<Filter> companions;
    private final MessageEndpoints endpoints = new MessageEndpoints();
    private final List<Filter> messageCompanions;
    private boolean hasMessageFilters;

    /** A filter with its type and its order, which are read from the filter only once. */
    private record Typed(ZuulFilter filter, String type, int order) {}

    ZuulGeneration(ZuulSettings settings) {
        this.settings = settings;
        this.properties = properties(settings.properties());
        this.companions = List.of(
                new LocalResponseFilter(FilterPhase.INBOUND),
                new LocalResponseFilter(FilterPhase.ENDPOINT),
                new WrappedRequestFilter(settings),
                new RoutingFilter(settings),
                new LocalResponseFilter(FilterPhase.ERROR),
                new CommitFilter());
        this.messageCompanions =
                List.of(new EndpointChoice(endpoints, settings), new ErrorEndpointFilter(endpoints, settings));
    }

    private static Map<String, String> properties(@Nullable String file) {
        if (file == null) {
            return Map.of();
        }
        Properties read = new Properties();
        try (Reader in = Files.newBufferedReader(Path.of(file))) {
            read.load(in);
        } catch (IOException | IllegalArgumentException e) {
            throw new ConfigException("extensions.zuul.properties", file, "a readable file of properties");
        }
        Map<String, String> all = new HashMap<>();
        read.stringPropertyNames().forEach(name -> all.put(name, read.getProperty(name)));
        return all;
    }

    @Override
    public List<Object> filters(String type) {
        return filters.stream()
                .filter(each -> each.type().equals(type))
                .sorted(BY_ORDER)
                .map(each -> (Object) each.filter())
                .toList();
    }

    @Override
    public @Nullable String property(String name) {
        return properties.get(name);
    }

    @Override
    public List<Filter> add(FilterDialect.Code code) throws Exception {
        Class<?> type = code.type();
        if (Modifier.isAbstract(type.getModifiers())) {
            return List.of();
        }
        BodyReads reads = CodeInspection.of(code);
        Injection.refuse(type);
        BoundGeneration before = BoundGeneration.bind(this);
        try {
            return created(constructor(type).newInstance(), code, reads);
        } finally {
            BoundGeneration.bind(before);
        }
    }

    @Override
    public List<Filter> adopt(Object filter, FilterDialect.Code code) throws Exception {
        String reason = Plumbing.reason(code.type(), settings.keep());
        if (reason != null) {
            LOG.info("filters: {} is left out: {}", code.file(), reason);
            return List.of();
        }
        BodyReads reads = CodeInspection.of(code);
        BoundGeneration before = BoundGeneration.bind(this);
        try {
            return created(filter, code, reads);
        } finally {
            BoundGeneration.bind(before);
        }
    }

    private List<Filter> created(Object created, FilterDialect.Code code, BodyReads reads) {
        Class<?> type = code.type();
        boolean kept = settings.buffer().contains(type.getSimpleName());
        if (!(created instanceof ZuulFilter filter)) {
            return messageFilters(created, kept, reads);
        }
        Typed typed = new Typed(filter, filter.filterType(), filter.filterOrder());
        filters.add(typed);
        FilterPhase phase = PHASES.get(typed.type());
        if (phase == null) {
            LOG.info(
                    "filters: {} has the type {}, and runs only if a filter calls FilterProcessor.runFilters(\"{}\")",
                    code.file(),
                    typed.type(),
                    typed.type());
            return List.of();
        }
        return List.of(new LegacyFilter(
                type,
                filter,
                phase,
                typed.order(),
                kept ? new BodyReads(true, false, true, true) : reads,
                settings,
                this,
                companions));
    }

    /** Returns the constructor without parameters, which need not be public. */
    private static Constructor<?> constructor(Class<?> type) throws FilterDialect.Refusal {
        try {
            Constructor<?> constructor = type.getDeclaredConstructor();
            constructor.setAccessible(true);
            return constructor;
        } catch (NoSuchMethodException e) {
            throw new FilterDialect.Refusal(
                    0,
                    "class " + type.getName()
                            + " has no constructor without parameters, and the gateway does not inject objects;"
                            + " create the objects in the filter, or embed the gateway and pass the bean"
                            + " to LychgateBuilder.zuulFilters");
        }
    }

    /** Returns the filters of the gateway that run a filter of Zuul 2. */
    @SuppressWarnings("unchecked")
    private List<Filter> messageFilters(Object filter, boolean kept, BodyReads reads) {
        hasMessageFilters = true;
        MessageCode code =
                new MessageCode((com.netflix.zuul.filters.ZuulFilter<ZuulMessage, ZuulMessage>) filter, this);
        boolean uses = kept || reads.message();
        int order = code.filter().filterOrder();
        FilterType type = code.filter().filterType();
        if (type == FilterType.ENDPOINT) {
            endpoints.add(code);
            boolean usesBody = uses || code.declares("needsBodyBuffered");
            return List.of(new MessageEndpointFilter(code, order, usesBody, settings, messageCompanions));
        }
        MessageFilter.BodyUse use = kept
                ? MessageFilter.BodyUse.ALWAYS
                : code.declares("needsBodyBuffered")
                        ? MessageFilter.BodyUse.ASKED
                        : uses ? MessageFilter.BodyUse.ALWAYS : MessageFilter.BodyUse.NEVER;
        FilterPhase phase = type == FilterType.INBOUND ? FilterPhase.INBOUND : FilterPhase.OUTBOUND;
        return MessageFilter.of(code, phase, order, use, settings, messageCompanions);
    }

    @Override
    public List<Filter> complete() {
        List<Filter> all = new ArrayList<>();
        if (!filters.isEmpty()) {
            all.addAll(companions);
        }
        if (hasMessageFilters) {
            all.addAll(messageCompanions);
        }
        return all;
    }
}
