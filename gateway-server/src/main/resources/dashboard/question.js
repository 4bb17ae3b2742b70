// Asks before something is done. The dialog is the browser's own: it holds the focus, gives it back, and Escape leaves it.

import { html, nothing, render } from "./lib/lit-html.js";

/**
 * @param question `title`, `text`, `action` (the word on the button), `danger` if it can hurt, and `field` where a number
 *     is needed: `label`, `min`, `max`, `value`
 * @returns a promise of null if the answer is no, else of the number, or of true where there is none
 */
export function confirm({ title, text, action, danger = false, field }) {
  const dialog = document.querySelector("#question");
  return new Promise(resolve => {
    const end = answer => {
      dialog.close();
      resolve(answer);
    };
    const submit = event => {
      event.preventDefault();
      end(field ? event.target.elements.value.value : true);
    };
    render(
      html`<form @submit=${submit}>
        <h2 id="question-title">${title}</h2>
        <p>${text}</p>
        ${field
          ? html`<label>${field.label}
              <input name="value" type="number" required min=${field.min} max=${field.max} .value=${String(field.value)}>
            </label>`
          : nothing}
        <p class="actions">
          <button type="button" @click=${() => end(null)}>Cancel</button>
          <button type="submit" class=${danger ? "danger" : "main"}>${action}</button>
        </p>
      </form>`,
      dialog,
    );
    // Escape. The event comes late: one that comes while this question is open is of the question before.
    dialog.onclose = () => dialog.open || resolve(null);
    dialog.showModal();
  });
}
