// Forms that a passkey fills: the browser asks for it by a dialog of its own, and the form is sent with its answer.
// Wants webauthn-json.js before it.
(() => {
  "use strict";
  const WORDS = {
    NotAllowedError: gettext("No passkey was used. Try again whenever you like."),
    InvalidStateError: gettext("This device already has a passkey for your account."),
    SecurityError: gettext("Passkeys work only if you open Foothold at its own address with https."),
    NotSupportedError: gettext("This device cannot create a passkey."),
    Often: gettext("Too many passkey attempts came from your network. Please wait a minute, then try again."),
  };
  const COULD_NOT = gettext("The browser could not do that. Please try again, or sign in another way.");

  // A passkey that is to sign in by itself must know whose it is.
  function findable(options) {
    const chosen = { ...options.publicKey.authenticatorSelection, residentKey: "required", requireResidentKey: true };
    return { publicKey: { ...options.publicKey, authenticatorSelection: chosen } };
  }

  async function optionsOf(form) {
    const given = form.querySelector("script[type='application/json']");
    if (given) return JSON.parse(given.textContent);
    const answer = await fetch(form.action, { headers: { Accept: "application/json" } });
    if (!answer.ok) throw Object.assign(new Error(), { name: answer.status === 429 ? "Often" : "Error" });
    return (await answer.json()).request_options;
  }

  function prepare(form) {
    const button = form.querySelector("button");
    const words = form.querySelector("[data-passkey-words]");
    if (!webauthnJSON.supported()) {
      words.textContent = isSecureContext ? gettext("This browser does not support passkeys.") : WORDS.SecurityError;
      return;
    }
    words.textContent = "";
    button.hidden = false;
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      button.disabled = true;
      words.textContent = "";
      try {
        const options = await optionsOf(form);
        const made = await (form.dataset.passkey === "make" ? webauthnJSON.create(findable(options)) : webauthnJSON.get(options));
        form.elements.credential.value = JSON.stringify(made);
        form.submit();
      } catch (error) {
        words.textContent = WORDS[error.name] || COULD_NOT;
        button.disabled = false;
      }
    });
  }

  document.querySelectorAll("form[data-passkey]").forEach(prepare);
  // Come back to by the back button, a form may be sent again.
  addEventListener("pageshow", () => document.querySelectorAll("form[data-passkey] button").forEach((one) => { one.disabled = false; }));
})();
