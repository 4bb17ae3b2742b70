package dev.lychgate.upstream;

/** The same endpoint for the same client address, strictly, by {@link Rendezvous} hashing. */
final class ClientIpHash extends BalancingPolicy {

    ClientIpHash(EndpointSet set) {
        super(set);
    }

    @Override
    int first(BalanceContext context) {
        return Rendezvous.best(set, RequestHash.ofAddress(context.clientAddress()), endpoint -> true);
    }

    @Override
    int another(BalanceContext context) {
        long client = RequestHash.ofAddress(context.clientAddress());
        return Rendezvous.best(set, client, endpoint -> !context.tried(endpoint));
    }
}
