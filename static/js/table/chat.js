// Chat and notes within the page: opened from the bar; the chat is read only while it is open.
"use strict";

document.addEventListener("click", (event) => {
  const link = event.target.closest("#chat-link, #go-notes");
  const part = link && document.getElementById(link.id === "chat-link" ? "chat" : "notes");
  if (!part) return;
  event.preventDefault();
  part.open = true;
  part.querySelector("summary").focus();
});
// Fetching the messages marks them as read: not while they are folded away.
document.addEventListener("htmx:configRequest", (event) => {
  if (event.target.id === "chat-list" && event.target.closest("details:not([open])")) event.preventDefault();
});
