// Asks again and again while the page is seen, not at all while it is hidden, and less often while there is trouble.

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
   * @param look asks for everything once; resolves to what is wrong, or to null. After a token that is missing or wrong it
   *     is called again only if somebody asks
   * @param changed called after each look, with what is wrong and the ms until the next one (null: none is planned)
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

  /** Looks at once, and takes up its pace from there. While paused it looks this once. */
  async now(asked = false) {
    clearTimeout(this.#timer);
    if (document.hidden || (this.#paused && !asked)) {
      return;
    }
    if (this.#looking) {
      this.#again = true; // what is under way may have been asked before something was changed
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
