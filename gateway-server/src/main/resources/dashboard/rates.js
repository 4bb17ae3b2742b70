// The last minutes of traffic, as far as this page has seen them.

const MINUTES = 5;

export class Rates {
  #looks = [];
  #last = "";

  /** Records a response of /traffic. A repeated response is ignored, and so is the first response, which has no figures. */
  add(traffic) {
    if (traffic.time === this.#last || traffic.seconds === 0) {
      return;
    }
    this.#last = traffic.time;
    const rates = new Map(traffic.routes.map(route => [route.id, route.rate]));
    const all = traffic.routes.reduce((sum, route) => sum + route.rate, 0);
    const now = Date.now();
    this.#looks.push({ at: now, rates, all });
    this.#looks = this.#looks.filter(look => look.at > now - MINUTES * 60000);
  }

  /** The rates of a route, or of all if `id` is undefined: pairs of time (ms) and rate, oldest first. */
  of(id) {
    return this.#looks.map(look => [look.at, id === undefined ? look.all : (look.rates.get(id) ?? 0)]);
  }
}
