// The views of the page: the start page and three workspaces. Owns which view is shown, and in each workspace which panels
// are always visible and which have a tab. The board is an element that all workspaces share.

import { el, get } from "./dom";

const VIEWS = ["start", "play", "write", "study"] as const;
export type View = (typeof VIEWS)[number];

interface Panel {
  title: string;
  element: HTMLElement;
  tab: HTMLButtonElement;
  /** The workspaces that have a tab for it. */
  tabs: View[];
  /** The workspace that always shows it. */
  fixed: View | undefined;
}

export const isView = (name: string | undefined): name is View => VIEWS.some((view) => view === name);

export class Workspaces {
  private panels: Panel[] = [];
  /** The tab that is open in each workspace. */
  private opened = new Map<View, string>();
  view: View = "start";
  /** The workspace that was shown last. */
  last: View = "play";

  constructor(
    /** The user goes to a view; it is shown when this returns. */
    private readonly goes: (view: View) => void,
    /** Another view is about to be visible. */
    private readonly shown: (view: View) => void,
  ) {
    for (const button of this.buttons()) {
      button.onclick = () => {
        const to = button.dataset["to"];
        if (isView(to)) this.goes(to);
      };
    }
  }

  private buttons(): HTMLButtonElement[] {
    return [...get("views").querySelectorAll("button")];
  }

  /** Adds a panel: with a tab in some workspaces, or always visible in another. */
  add(title: string, element: HTMLElement, tabs: View[], fixed?: View): void {
    const id = title.toLowerCase();
    const tab = el("button", { role: "tab", id: `tab-${id}`, "aria-controls": `panel-${id}`, onclick: () => this.open(title) }, title);
    tab.onkeydown = (event) => {
      const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
      if (!step) return;
      const all = this.panels.filter((one) => one.tabs.includes(this.view));
      const next = all[(all.findIndex((one) => one.tab === tab) + step + all.length) % all.length];
      if (next) this.open(next.title);
      next?.tab.focus();
    };
    element.id = `panel-${id}`;
    // Panels that scroll can be scrolled by keyboard.
    element.tabIndex = 0;
    element.dataset["views"] = [...tabs, fixed ?? ""].join(" ").trim();
    this.panels.push({ title, element, tab, tabs, fixed });
    get("tabs").append(tab);
    get("panels").append(element);
  }

  /** Opens a panel by its title, in another workspace if the current one does not have it. */
  open(title: string): void {
    const panel = this.panels.find((one) => one.title === title);
    if (!panel) return;
    const has = (view: View) => panel.fixed === view || panel.tabs.includes(view);
    const view = has(this.view) ? this.view : (VIEWS.find(has) ?? this.view);
    if (panel.fixed !== view) this.opened.set(view, title);
    this.show(view);
  }

  /** Shows a view. */
  show(view: View): void {
    // On a phone, each view begins at its top.
    if (view !== this.view) document.querySelector("main")?.scrollTo(0, 0);
    this.view = view;
    document.body.dataset["view"] = view;
    if (view !== "start") this.last = view;
    this.shown(view);
    for (const button of this.buttons()) {
      if (button.dataset["to"] === view) button.setAttribute("aria-current", "page");
      else button.removeAttribute("aria-current");
    }
    const tabbed = this.panels.filter((one) => one.tabs.includes(view));
    const open = this.opened.get(view) ?? tabbed[0]?.title;
    get("tabs").hidden = tabbed.length === 0;
    for (const { title, element, tab, tabs, fixed } of this.panels) {
      const isOpen = title === open;
      tab.hidden = !tabs.includes(view);
      tab.setAttribute("aria-selected", String(isOpen));
      tab.tabIndex = isOpen ? 0 : -1;
      element.hidden = fixed !== view && !(tabs.includes(view) && isOpen);
      element.setAttribute("role", fixed === view ? "region" : "tabpanel");
      if (fixed === view) element.removeAttribute("aria-labelledby");
      else element.setAttribute("aria-labelledby", tab.id);
      if (fixed === view) element.ariaLabel = title;
    }
  }
}
