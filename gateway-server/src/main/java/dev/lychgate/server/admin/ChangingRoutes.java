package dev.lychgate.server.admin;

import static dev.lychgate.server.admin.AdminRoute.post;
import static io.netty.handler.codec.http.HttpResponseStatus.CONFLICT;
import static io.netty.handler.codec.http.HttpResponseStatus.NOT_FOUND;
import static io.netty.handler.codec.http.HttpResponseStatus.SERVICE_UNAVAILABLE;
import static io.netty.handler.codec.http.HttpResponseStatus.UNPROCESSABLE_ENTITY;

import java.util.List;

/** All that something may be another after. */
final class ChangingRoutes {
    private final AdminSource source;
    private final ReadingRoutes pages;
    private final SlowPages slow;
    private final LogPage log;

    /** @param pages what the actions respond with */
    ChangingRoutes(AdminSource source, ReadingRoutes pages, SlowPages slow, LogPage log) {
        this.source = source;
        this.pages = pages;
        this.slow = slow;
        this.log = log;
    }

    List<AdminRoute> all() {
        return List.of(
                post(
                                "/reload",
                                "Reads the files anew, and makes a generation of them.",
                                Page.json(
                                        GenerationActions.SHAPE,
                                        given -> GenerationActions.reload(pages.generations())))
                        .failing(UNPROCESSABLE_ENTITY, SERVICE_UNAVAILABLE),
                post(
                                "/rollback",
                                "Goes back to an earlier generation, which holds until a reload.",
                                Page.json(
                                        GenerationActions.SHAPE,
                                        given -> GenerationActions.rollback(pages.generations(), given)))
                        .failing(NOT_FOUND, UNPROCESSABLE_ENTITY, SERVICE_UNAVAILABLE)
                        .taking(GenerationActions.GENERATION),
                post(
                                "/upstreams/endpoint",
                                "Changes an endpoint until the process ends.",
                                Page.of(
                                        UpstreamsPage.ENDPOINT,
                                        given -> EndpointActions.change(pages.generation(), given)))
                        .failing(NOT_FOUND)
                        .taking(EndpointActions.UPSTREAM, EndpointActions.ENDPOINT)
                        .taking(EndpointActions.STATE, EndpointActions.WEIGHT),
                post(
                                "/breakers",
                                "Holds a circuit open or closed until the process ends, or lets it decide again.",
                                Page.of(BreakersPage.BREAKER, given -> BreakersPage.change(pages.generation(), given)))
                        .failing(NOT_FOUND)
                        .taking(BreakersPage.UPSTREAM, BreakersPage.ENDPOINT, BreakersPage.STATE),
                post(
                                "/filters",
                                "Leaves a filter out until the process ends, or lets it run again.",
                                Page.of(FiltersPage.SHAPE, given -> FiltersPage.change(pages.generation(), given)))
                        .failing(NOT_FOUND, CONFLICT)
                        .taking(FiltersPage.PHASE, FiltersPage.NAME, FiltersPage.STATE, FiltersPage.FORCE),
                post(
                                "/log",
                                "Gives a logger another level, until the process ends or for a while.",
                                Page.slow(LogPage.SHAPE, slow, log::change))
                        .taking(LogPage.NAME, LogPage.LEVEL, LogPage.FOR),
                post(
                                "/drain",
                                "Takes the gateway out of the traffic, or ends the process when all exchanges are"
                                        + " done.",
                                Page.json(ReadingRoutes.STATUS, given -> DrainActions.drain(source, given)))
                        .failing(CONFLICT)
                        .taking(DrainActions.READY, DrainActions.EXIT));
    }
}
