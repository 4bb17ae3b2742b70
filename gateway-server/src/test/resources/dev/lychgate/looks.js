// Measures, in the page itself, what WCAG 2.2 asks of it at level AA: contrast (1.4.3, 1.4.11), names (4.1.2), focus (2.4.7).
// Each function returns sentences about problems; none if there are none.
(() => {
  const TEXT = 4.5;
  const LARGE = 3;
  const GRAPHIC = 3;

  const channels = color => {
    const found = color.match(/^rgba?\(([\d.]+), ([\d.]+), ([\d.]+)(?:, ([\d.]+))?\)$/);
    if (found === null) {
      throw new Error(`a colour that can't be read: ${color}`);
    }
    return [...found.slice(1, 4).map(Number), found[4] === undefined ? 1 : Number(found[4])];
  };

  const over = ([r, g, b, alpha], ground) =>
    [r, g, b].map((value, i) => value * alpha + ground[i] * (1 - alpha));

  const luminance = color => color
    .map(value => value / 255)
    .map(value => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4))
    .reduce((sum, value, i) => sum + value * [0.2126, 0.7152, 0.0722][i], 0);

  const ratio = (one, other) => {
    const [bright, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a);
    return (bright + 0.05) / (dark + 0.05);
  };

  /** The colour behind an element: its own background over its parents', down to the page's canvas. */
  const ground = element => {
    const layers = [];
    for (let at = element; at !== null; at = at.parentElement) {
      const style = getComputedStyle(at);
      if (style.backgroundImage !== "none") {
        throw new Error(`${name(at)} has an image behind it, which is not measured`);
      }
      const color = channels(style.backgroundColor);
      layers.push(color);
      if (color[3] === 1) {
        break;
      }
    }
    return layers.reduceRight((below, color) => over(color, below), [255, 255, 255]);
  };

  const opacity = element => {
    let product = 1;
    for (let at = element; at !== null; at = at.parentElement) {
      product *= Number(getComputedStyle(at).opacity);
    }
    return product;
  };

  const faded = (color, element) => {
    const [r, g, b, alpha] = channels(color);
    return [r, g, b, alpha * opacity(element)];
  };

  const name = element => {
    const words = (element.innerText ?? element.getAttribute("aria-label") ?? "").trim().replace(/\s+/g, " ").slice(0, 40);
    return `<${element.tagName.toLowerCase()} class="${element.getAttribute("class") ?? ""}"> ${words}`;
  };

  /** Behind a question nothing can be used: it is all that counts then. */
  const scope = () => document.querySelector("dialog[open]") ?? document.body;

  const isSeen = element => {
    const box = element.getBoundingClientRect();
    return element.checkVisibility({ checkVisibilityCSS: true, checkOpacity: true })
      && box.width > 1 && box.height > 0 && box.right > 0 && element.closest(".unseen") === null;
  };

  const judge = (found, what, color, behind, least) => {
    const has = ratio(over(color, behind), behind);
    found.measured += 1;
    if (has < least) {
      found.amiss.add(`${what}: ${has.toFixed(2)}, at least ${least}`);
    }
  };

  const least = style => {
    const size = parseFloat(style.fontSize);
    return size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700) ? LARGE : TEXT;
  };

  function texts(found) {
    const walker = document.createTreeWalker(scope(), NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const element = node.parentElement;
      if (node.data.trim() !== "" && isSeen(element)) {
        const style = getComputedStyle(element);
        judge(found, `text of ${name(element)}`, faded(style.color, element), ground(element), least(style));
      }
    }
    for (const field of scope().querySelectorAll("input, textarea, select")) {
      if (isSeen(field)) {
        const style = getComputedStyle(field);
        judge(found, `text in ${name(field)}`, faded(style.color, field), ground(field), least(style));
        if (field.placeholder) {
          const color = getComputedStyle(field, "::placeholder").color;
          judge(found, `placeholder of ${name(field)}`, faded(color, field), ground(field), least(style));
        }
      }
    }
  }

  /** What shows where a control is: its border, or else its ground, against what surrounds it. */
  function controls(found) {
    for (const control of scope().querySelectorAll("button:not(.link), input:not([type=checkbox]), textarea, select")) {
      if (isSeen(control)) {
        const style = getComputedStyle(control);
        const around = ground(control.parentElement);
        const edge = parseFloat(style.borderTopWidth) > 0 ? over(faded(style.borderTopColor, control), around) : around;
        const best = ratio(edge, around) >= ratio(ground(control), around) ? edge : ground(control);
        judge(found, `edge of ${name(control)}`, [...best, 1], around, GRAPHIC);
      }
    }
  }

  function graphics(found) {
    const against = (selector, property, behind) => scope().querySelectorAll(selector).forEach(shape => {
      if (isSeen(shape.ownerSVGElement ?? shape)) {
        judge(found, `${property} of ${name(shape.ownerSVGElement ?? shape)} ${selector}`,
          faded(getComputedStyle(shape)[property], shape), behind(shape), GRAPHIC);
      }
    });
    const sibling = selector => shape =>
      over(faded(getComputedStyle(shape.parentElement.querySelector(selector)).fill, shape.parentElement), ground(shape.closest("td, dd")));
    against(".sparkline polyline", "stroke", shape => ground(shape.closest("td, dd")));
    against(".span .time", "fill", sibling(".ground"));
    against(".span .mark", "fill", sibling(".time"));
    against(".bar .part", "fill", sibling(".whole"));
    against("nav a[aria-current]", "borderBottomColor", ground);
    against(".notice", "borderLeftColor", shape => ground(shape.parentElement));
  }

  const CONTROLS = "button, a[href], input, select, textarea, [tabindex='0']";

  window.looks = {
    /** Sentences about colours, and how many were looked at. */
    contrast() {
      const found = { amiss: new Set(), measured: 0 };
      texts(found);
      controls(found);
      graphics(found);
      return { amiss: [...found.amiss], measured: found.measured };
    },

    /** Sentences about controls and parts of the page without a name, and about missing parts. */
    names() {
      const amiss = [];
      for (const one of document.querySelectorAll(`${CONTROLS}, section, svg[role=img], [role=region]`)) {
        const labels = [...(one.labels ?? [])].map(label => label.innerText.trim()).join("");
        const own = one.matches("button, a") ? one.innerText.trim() : "";
        if (one.matches("[inert], [inert] *") === false && (one.getAttribute("aria-label") ?? "") + labels + own === "") {
          amiss.push(`no name: ${one.outerHTML.slice(0, 120)}`);
        }
      }
      const counts = { h1: 1, main: 1, header: 1, "nav[aria-label]": 1, "[role=alert]": 1, "[role=status]": 2, "html[lang]": 1 };
      for (const [selector, wanted] of Object.entries(counts)) {
        const has = document.querySelectorAll(selector).length;
        if (has !== wanted) {
          amiss.push(`${has} of ${selector}, not ${wanted}`);
        }
      }
      document.querySelectorAll("table").forEach(table => {
        if (!table.caption?.innerText.trim() || [...table.querySelectorAll("th")].some(head => head.scope === "")) {
          amiss.push(`a table without caption, or with a heading of nothing: ${table.innerText.slice(0, 80)}`);
        }
      });
      return amiss;
    },

    /** Notes from now on which controls get the focus, and whether that is seen. @returns how many there are */
    follow() {
      const wanted = [...scope().querySelectorAll(CONTROLS)].filter(one => one.checkVisibility() && !one.disabled);
      const reached = new Set();
      const amiss = new Set();
      document.addEventListener("focusin", event => {
        const one = event.target;
        reached.add(one);
        const style = getComputedStyle(one);
        // Inside of its control a ring lies upon that one's ground, else upon what surrounds it.
        const around = ground(parseFloat(style.outlineOffset) < 0 ? one : one.parentElement);
        const strength = ratio(over(channels(style.outlineColor), around), around);
        if (style.outlineStyle === "none" || parseFloat(style.outlineWidth) < 2 || strength < GRAPHIC) {
          amiss.add(`focus is not seen (${style.outlineStyle}, ${style.outlineWidth}, ${strength.toFixed(2)}): ${name(one)}`);
        }
      });
      window.looks.followed = () => [
        ...wanted.filter(one => one.isConnected && !reached.has(one)).map(one => `not reached: ${name(one)}`),
        ...amiss,
      ];
      return wanted.length;
    },
  };
})();
