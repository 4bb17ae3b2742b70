// Confirms an action. The dialog is the browser's own: it traps and restores the focus, and Escape closes it.

import { html, nothing, render } from "./lib/lit-html.js";

/**
 * @param question `title`, `text`, `action` (the word on the button), `danger` for a harmful action, and `field` where a number
 *     is needed: `label`, `min`, `max`, `value`, and `step` if it need not be whole
 * @returns a promise of null after a refusal, otherwise of the number, or of true without a field
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
              <input name="value" type="number" required min=${field.min} max=${field.max} step=${field.step ?? 1} .value=${String(field.value)}>
            </label>`
          : nothing}
        <p class="actions">
          <button type="button" @click=${() => end(null)}>Cancel</button>
          <button type="submit" class=${danger ? "danger" : "main"}>${action}</button>
        </p>
      </form>`,
      dialog,
    );
    // Escape. The event arrives late: it may belong to the previous dialog.
    dialog.onclose = () => dialog.open || resolve(null);
    dialog.showModal();
  });
}
