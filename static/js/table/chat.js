// The chat within the page: opened from the bar, and read only while it is open.
"use strict";

document.addEventListener("click", (event) => {
  const chat = document.getElementById("chat");
  if (!chat || !event.target.closest("#chat-link")) return;
  event.preventDefault();
  chat.open = true;
  chat.querySelector("summary").focus();
});
// Fetching the messages marks them as read: not while they are folded away.
document.addEventListener("htmx:configRequest", (event) => {
  if (event.target.id === "chat-list" && event.target.closest("details:not([open])")) event.preventDefault();
});
