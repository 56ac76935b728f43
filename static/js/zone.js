// Tells the server which time zone this browser is in: by a cookie for visitors, by a hidden field when signing up.
(() => {
  "use strict";
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (!zone) return;

  const [name, secure] = location.protocol === "https:" ? ["__Host-zone", "; Secure"] : ["zone", ""];
  document.cookie = `${name}=${encodeURIComponent(zone)}; Path=/; Max-Age=31536000; SameSite=Lax${secure}`;
  for (const field of document.querySelectorAll("input[data-zone]")) field.value = zone;

  const take = document.querySelector("[data-zone-take]");
  if (!take) return;
  take.addEventListener("click", () => {
    document.getElementById("id_time_zone").value = take.dataset.zoneTake;
    take.hidden = true;
  });
  take.hidden = false;
})();
