/**
 * The stream of a session. A ticket opens it, for an `EventSource` can send no token; when it
 * fails, or what it told could not be taken in, it is opened again with another ticket, a little
 * later each time, or at once when the computer is online again; after what was missed meanwhile.
 *
 * @typedef {object} Listener
 * @property {(isLive: boolean) => void} live
 * @property {(name: string, data: any, version: string) => Promise<unknown>} told
 * @property {() => Promise<boolean>} missed  takes in what was missed; whether more may come
 */

const NAMES = [
  "snapshot",
  "step",
  "undo_proposed",
  "undo_closed",
  "undone",
  "seat",
  "reset",
  "closed",
];
const FIRST_PAUSE_MS = 1_000;
const LAST_PAUSE_MS = 15_000;

/**
 * Follow a session; return what ends that.
 *
 * @param {import("./requests.js").Requests} requests
 * @param {string} session
 * @param {() => string | null} token
 * @param {Listener} listener
 * @returns {() => void}
 */
export function follow(requests, session, token, listener) {
  /** @type {EventSource | null} */
  let source = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  let pause = FIRST_PAUSE_MS;
  let isOver = false;

  const end = () => {
    isOver = true;
    clearTimeout(timer);
    removeEventListener("online", hurry);
    removeEventListener("offline", again);
    source?.close();
  };

  const again = () => {
    source?.close();
    clearTimeout(timer);
    if (isOver) return;
    listener.live(false);
    timer = setTimeout(() => void reopen(), pause);
    pause = Math.min(pause * 2, LAST_PAUSE_MS);
  };

  const hurry = () => {
    pause = FIRST_PAUSE_MS;
    if (timer === undefined) return;
    clearTimeout(timer);
    void reopen();
  };

  const reopen = async () => {
    timer = undefined;
    try {
      if (await listener.missed()) await open();
      else end();
    } catch {
      again();
    }
  };

  const open = async () => {
    const bearer = token();
    let query = "";
    if (bearer !== null) {
      const path = `/v1/sessions/${session}/stream-tickets`;
      query = `?ticket=${(await requests.ask("POST", path, { token: bearer })).ticket}`;
    }
    if (isOver) return;
    source = new EventSource(`/v1/sessions/${session}/events${query}`);
    for (const name of NAMES) {
      source.addEventListener(name, (event) => {
        const data = JSON.parse(event.data);
        pause = FIRST_PAUSE_MS;
        if (name === "closed") end();
        listener.live(name !== "closed");
        listener.told(name, data, event.lastEventId).catch(again);
      });
    }
    source.addEventListener("error", again);
  };

  addEventListener("online", hurry);
  addEventListener("offline", again);
  open().catch(again);
  return end;
}
