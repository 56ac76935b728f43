// A soft tone, a short buzz, when it becomes one's turn while the page is open. Loaded only for who wants one of them.
"use strict";

(() => {
  const { sound, vibration } = document.currentScript.dataset;
  const isMine = () => document.getElementById("bar").dataset.turn === "yes";
  let wasMine = isMine();

  // Browsers let a page sound only once something was pressed on it.
  let audio;
  const wake = () => {
    audio ??= new AudioContext();
    if (audio.state === "suspended") audio.resume();
  };
  if (sound && window.AudioContext) for (const press of ["pointerdown", "keydown"]) addEventListener(press, wake);

  const tone = () => {
    const now = audio.currentTime;
    const volume = new GainNode(audio, { gain: 0 });
    volume.gain.linearRampToValueAtTime(0.06, now + 0.03);
    volume.gain.linearRampToValueAtTime(0, now + 0.3);
    const wave = new OscillatorNode(audio, { type: "sine", frequency: 660 });
    wave.connect(volume).connect(audio.destination);
    wave.start(now);
    wave.stop(now + 0.3);
  };

  document.addEventListener("htmx:oobAfterSwap", () => {
    const mine = isMine();
    if (mine && !wasMine) {
      if (sound && audio?.state === "running") tone();
      if (vibration) navigator.vibrate?.(60);
    }
    wasMine = mine;
  });
})();
