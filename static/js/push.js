// The switch for notices on this device, on the profile page.
(() => {
  "use strict";
  const place = document.querySelector("[data-push-key]");
  if (!place) return;
  const words = place.querySelector("[data-push-words]");
  const button = place.querySelector("[data-push-switch]");
  if (!("serviceWorker" in navigator) || !("PushManager" in window)) {
    words.textContent = gettext("This browser cannot show notifications. On an iPhone or iPad, first add Foothold to the home screen.");
    return;
  }

  const bytes = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
  const text = (buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer)))
    .replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  const token = () => document.querySelector("input[name=csrfmiddlewaretoken]").value;
  const post = (address, fields) =>
    fetch(address, { method: "POST", headers: { "X-CSRFToken": token() }, body: new URLSearchParams(fields) });

  function show(subscription) {
    words.textContent = subscription ? gettext("This device gets notifications.") : gettext("Notifications are off on this device.");
    button.textContent = subscription ? gettext("Stop on this device") : gettext("Notify me on this device");
    button.hidden = false;
  }

  async function switchOn(registration) {
    const subscription = await registration.pushManager.subscribe({
      userVisibleOnly: true, applicationServerKey: bytes(place.dataset.pushKey),
    });
    const answer = await post(place.dataset.pushOn, {
      endpoint: subscription.endpoint, p256dh: text(subscription.getKey("p256dh")), auth: text(subscription.getKey("auth")),
    });
    if (answer.ok) return show(subscription);
    await subscription.unsubscribe();
    const refusal = answer.status === 422 ? await answer.json() : null;
    words.textContent = refusal ? refusal.sentence : gettext("That did not work. Please try again.");
  }

  async function switchOff(subscription) {
    await subscription.unsubscribe();
    await post(place.dataset.pushOff, { endpoint: subscription.endpoint });
    show(null);
  }

  async function start() {
    const registration = await navigator.serviceWorker.register("/sw.js");
    show(await registration.pushManager.getSubscription());
    button.addEventListener("click", async () => {
      button.disabled = true;
      try {
        const subscription = await registration.pushManager.getSubscription();
        await (subscription ? switchOff(subscription) : switchOn(await navigator.serviceWorker.ready));
      } catch (error) {
        words.textContent = error.name === "NotAllowedError"
          ? gettext("The browser does not allow notifications from this site. You can change that in its settings.")
          : gettext("The browser could not set this up. Please try again later.");
      }
      button.disabled = false;
    });
  }

  start().catch(() => { words.textContent = gettext("This browser cannot show notifications here."); });
})();
