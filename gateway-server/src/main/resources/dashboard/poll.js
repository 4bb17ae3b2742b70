// Reads repeatedly while the page is visible, never while it is hidden, and less often after failures.

const PACE = 2000; // ms
const LONGEST = 30000;

export class Poll {
  #look;
  #changed;
  #timer;
  #looking = false;
  #again = false;
  #failures = 0;
  #paused = false;

  /**
   * @param look reads everything once; resolves to the problem, or to null. After a missing or wrong token it
   *     is called again only on request
   * @param changed called after each round, with the problem and the ms until the next one (null: none is planned)
   */
  constructor(look, changed) {
    this.#look = look;
    this.#changed = changed;
    document.addEventListener("visibilitychange", () => this.now());
  }

  get isPaused() {
    return this.#paused;
  }

  pause(paused) {
    this.#paused = paused;
    this.now();
  }

  /** Reads at once, and continues at its pace. While paused it reads once. */
  async now(asked = false) {
    clearTimeout(this.#timer);
    if (document.hidden || (this.#paused && !asked)) {
      return;
    }
    if (this.#looking) {
      this.#again = true; // the running round may have started before the change
      return;
    }
    this.#looking = true;
    const wrong = await this.#look();
    this.#looking = false;
    this.#failures = wrong === null ? 0 : this.#failures + 1;
    const wait = Math.min(PACE * 2 ** this.#failures, LONGEST);
    const goesOn = !this.#paused && !document.hidden && !wrong?.isStranger;
    this.#changed(wrong, goesOn ? wait : null);
    if (this.#again) {
      this.#again = false;
      this.now(true);
    } else if (goesOn) {
      this.#timer = setTimeout(() => this.now(), wait);
    }
  }
}
