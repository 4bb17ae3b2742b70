package dev.lychgate.server.admin;

import static dev.lychgate.server.admin.AdminResponse.now;

import dev.lychgate.config.OperatorConfig.Role;
import dev.lychgate.server.admin.Operator.Subject;
import dev.lychgate.server.json.Json;
import dev.lychgate.server.json.JsonType;
import dev.lychgate.server.json.Shape;
import java.util.Collection;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * {@code /operator}: the roles and limits of the client that sent the request, so that a program can omit actions that
 * would be rejected.
 */
final class OperatorPage {
    private static final JsonType<Collection<? extends String>> NAMES = Json.list(Json.TEXT);

    private static final Shape<Operator> LIMITS = new Shape<Operator>("OperatorLimits")
            .optional("routes", NAMES, "Ids of routes.", of -> of.limits().get(Subject.ROUTES))
            .optional("filters", NAMES, "Names of filters.", of -> of.limits().get(Subject.FILTERS))
            .optional(
                    "upstreams", NAMES, "Names of upstreams.", of -> of.limits().get(Subject.UPSTREAMS));

    static final Shape<Operator> SHAPE = new Shape<Operator>(
                    "Operator", "The roles and limits of the client of this request.")
            .optionalText("name", "The name of the operator.", Operator::name)
            .list("roles", Json.words(Role.values()), "The roles of the operator.", OperatorPage::roles)
            .field(
                    "limits",
                    LIMITS,
                    "The names of the objects that the operator may change; a name that ends with * is a prefix."
                            + " Without names and labels, changes are not limited.",
                    of -> of)
            .optional(
                    "labels",
                    Json.map(Json.TEXT),
                    "In addition to the routes under limits, the operator may change routes with all of these labels.",
                    of -> of.labels().isEmpty() ? null : of.labels());

    private OperatorPage() {}

    static CompletableFuture<AdminResponse> of(Parameters given) {
        return now(AdminResponse.json(SHAPE, given.operator()));
    }

    /** Returns the roles of an operator. Each role includes the role viewer. */
    private static Set<Role> roles(Operator operator) {
        Set<Role> roles = EnumSet.of(Role.VIEWER);
        roles.addAll(operator.roles());
        return roles;
    }
}
