package dev.lychgate.route;

import dev.lychgate.http.RequestHead;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Routes that share traffic by weight. The group serves a request if the first matching route is a member of the group.
 * The gateway then draws one of all matching members, regardless of their positions. The probability of a member is its
 * share divided by the sum of the shares of all matching members. Routes with share 0 are not members.
 */
final class WeightGroup {
    private final Route[] members;
    private final int[] shares;

    /** @param routes routes of the group, by position */
    WeightGroup(List<Route> routes) {
        List<Route> taking = new ArrayList<>();
        for (Route route : routes) {
            if (route.takesTraffic()) {
                taking.add(route);
            }
        }
        this.members = taking.toArray(Route[]::new);
        this.shares = new int[members.length];
        for (int i = 0; i < shares.length; i++) {
            shares[i] = share(members[i]);
        }
    }

    static int share(Route route) {
        var weight = route.config().match().weight();
        return weight == null ? 0 : weight.share();
    }

    /**
     * Draws one of the matching members at random. {@code first} is one of the matching members. Each member is tested
     * twice, so that no list is needed.
     */
    Route draw(Route first, RequestHead head, Ingress ingress, RandomGenerator random) {
        long sum = 0;
        for (int i = 0; i < members.length; i++) {
            if (members[i].matches(head, ingress)) {
                sum += shares[i];
            }
        }
        if (sum == share(first)) {
            return first;
        }
        long drawn = random.nextLong(sum);
        for (int i = 0; i < members.length; i++) {
            if (members[i].matches(head, ingress)) {
                drawn -= shares[i];
                if (drawn < 0) {
                    return members[i];
                }
            }
        }
        return first;
    }

    List<Route> matching(RequestHead head, Ingress ingress) {
        List<Route> matching = new ArrayList<>();
        for (Route member : members) {
            if (member.matches(head, ingress)) {
                matching.add(member);
            }
        }
        return matching;
    }
}
