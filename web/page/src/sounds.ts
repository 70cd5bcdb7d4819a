// Sounds of a game, made without files: a move, a capture, dice, and the end. Owns the audio context, which starts only after
// the user has done something in the page. It detects events by comparing what is shown with what was shown before.

import { isCapture } from "./glide";
import type { Shown } from "./table";

type Sound = "move" | "capture" | "dice" | "end";

/** The tones of a sound: pitch in hertz, start in seconds, and loudness. Low and short ones sound like wood. */
const TONES: Record<Sound, [pitch: number, start: number, loudness: number][]> = {
  move: [[240, 0, 0.5]],
  capture: [[180, 0, 0.6], [320, 0.05, 0.4]],
  dice: [[900, 0, 0.2], [740, 0.06, 0.2], [980, 0.13, 0.15], [820, 0.22, 0.1]],
  end: [[392, 0, 0.3], [494, 0.14, 0.3], [587, 0.28, 0.3]],
};

/** How long a tone takes to fade, in seconds. */
const FADE = 0.12;

export class Sounds {
  isOn = false;
  private context: AudioContext | undefined;
  private last: Shown | undefined;

  /** Plays what has happened since the last call. */
  follow(shown: Shown | undefined): void {
    const { last } = this;
    this.last = shown;
    const sound = last && shown && this.isOn && soundOf(last, shown);
    if (sound) this.play(sound);
  }

  play(sound: Sound): void {
    if (!navigator.userActivation?.hasBeenActive) return;
    const context = (this.context ??= new AudioContext());
    for (const [pitch, start, loudness] of TONES[sound]) {
      const [tone, volume, at] = [context.createOscillator(), context.createGain(), context.currentTime + start];
      tone.type = "triangle";
      tone.frequency.setValueAtTime(pitch, at);
      tone.frequency.exponentialRampToValueAtTime(sound === "end" ? pitch : pitch / 2, at + FADE);
      volume.gain.setValueAtTime(loudness, at);
      volume.gain.exponentialRampToValueAtTime(0.001, at + FADE * (sound === "end" ? 3 : 1));
      tone.connect(volume).connect(context.destination);
      tone.start(at);
      tone.stop(at + FADE * 3);
    }
  }
}

/** The sound of what came after a position; undefined if it is another position, or the same one. */
function soundOf(before: Shown, after: Shown): Sound | undefined {
  const [earlier, { deciders }] = [before.course.deciders.length, after.course];
  if (deciders.length <= earlier || deciders.length > earlier + 2) return undefined;
  if (after.status.state.over) return "end";
  if (isCapture(before.picture, after.picture)) return "capture";
  return deciders.at(-1) === null ? "dice" : "move";
}
