// Tabs that show one panel at a time. Arrow keys move between them, as screen readers expect.

import { el, get } from "./dom";

export class Tabs {
  private tabs: HTMLButtonElement[] = [];
  private panels: HTMLElement[] = [];
  private shown: ((() => void) | undefined)[] = [];

  /** Adds a tab; `shown` is called whenever it is opened. */
  add(title: string, panel: HTMLElement, shown?: () => void): void {
    const index = this.tabs.length;
    const id = title.toLowerCase();
    const tab = el("button", { type: "button", role: "tab", id: `tab-${id}`, "aria-controls": `panel-${id}` }, title);
    tab.onclick = () => this.open(index);
    tab.onkeydown = (event) => {
      const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
      if (step) {
        this.open((index + step + this.tabs.length) % this.tabs.length);
        this.tabs[(index + step + this.tabs.length) % this.tabs.length]?.focus();
      }
    };
    panel.id = `panel-${id}`;
    panel.setAttribute("role", "tabpanel");
    panel.setAttribute("aria-labelledby", tab.id);
    this.tabs.push(tab);
    this.panels.push(panel);
    this.shown.push(shown);
    get("tabs").append(tab);
    get("panels").append(panel);
    if (index === 0) this.open(0);
    else panel.hidden = true;
  }

  /** Opens a tab by its place or title. */
  open(which: number | string): void {
    const index = typeof which === "number" ? which : this.tabs.findIndex((tab) => tab.textContent === which);
    this.tabs.forEach((tab, i) => {
      tab.setAttribute("aria-selected", String(i === index));
      tab.tabIndex = i === index ? 0 : -1;
      const panel = this.panels[i];
      if (panel) panel.hidden = i !== index;
    });
    this.shown[index]?.();
  }
}
