// Charts: a curve or columns with axes, and bars in the cells of a table. Owns their ticks, and how a value is read by
// pointer, keyboard and screen reader. It knows no game and no engine.

import { shape } from "./diagram";
import { el, put } from "./dom";

/** A value of a chart. */
export interface Point {
  x: number;
  y: number;
  /** The value in words. */
  text: string;
  /** Whether it is marked by a dot. */
  isMarked?: boolean;
}

/** A chart. */
interface Plot {
  kind: "curve" | "columns";
  title: string;
  /** The hint that is shown until a value is pointed at. */
  hint: string;
  points: Point[];
  /** The least and the greatest value of the vertical axis. */
  range: [number, number];
  /** The text of a tick of the vertical axis. */
  format: (y: number) => string;
  /** The user chooses a value by a click or Enter. */
  choose?: (at: number) => void;
}

/** A chart on the page. */
export interface Drawn {
  element: HTMLElement;
  /** Marks the current value; none if it is undefined. */
  mark(at: number | undefined): void;
}

/** Round numbers from `least` to `most`, at most about `count` of them. */
function ticks(least: number, most: number, count: number): number[] {
  const rough = (most - least) / count || 1;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5].find((factor) => factor * power >= rough) ?? 10) * power;
  const first = Math.ceil(least / step - 1e-9);
  return Array.from({ length: Math.max(0, Math.floor(most / step + 1e-9) - first + 1) }, (_, n) => Number(((first + n) * step).toPrecision(12)));
}

const STEPS: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, ArrowDown: -1, ArrowUp: 1, PageDown: -10, PageUp: 10, Home: -Infinity, End: Infinity };

/** Draws a chart. It is a slider over its values: arrow keys move along, and each value is read out. */
export function plot({ kind, title, hint, points, range: [low, high], format, choose }: Plot): Drawn {
  const last = points.length - 1;
  const gap = kind === "columns" ? (points[1]?.x ?? 1) - (points[0]?.x ?? 0) : 0;
  const [left, right] = [(points[0]?.x ?? 0) - gap / 2, (points[last]?.x ?? 1) + gap / 2];
  const across = (x: number) => (100 * (x - left)) / (right - left || 1);
  const up = (y: number) => (100 * (Math.min(high, Math.max(low, y)) - low)) / (high - low || 1);
  const place = ({ x, y }: Point) => `${across(x).toFixed(2)} ${(100 - up(y)).toFixed(2)}`;
  const [rows, columns] = [ticks(low, high, 4), ticks(left, right, 6).filter((x) => x >= (points[0]?.x ?? 0) && Number.isInteger(x))];
  const line = points.map(place).join("L");
  const base = (100 - up(0)).toFixed(2);
  const width = (100 * gap * 0.86) / (right - left || 1);
  const [here, pointer] = [shape("path", { class: "plot-here", d: "" }), shape("path", { class: "plot-pointer", d: "" })];
  const picture = shape("svg", { viewBox: "0 0 100 100", preserveAspectRatio: "none", "aria-hidden": "true" });
  picture.append(
    shape("path", { class: "plot-grid", d: rows.map((y) => `M0 ${100 - up(y)}h100`).join("") }),
    ...(kind === "columns"
      ? points.map((point) => shape("rect", { class: "plot-column", x: across(point.x) - width / 2, width, y: 100 - up(point.y), height: up(point.y) }))
      : [shape("path", { class: "plot-area", d: `M0 ${base}L${line}L100 ${base}Z` }), shape("path", { class: "plot-line", d: `M${line}` })]),
    here,
    pointer,
    // A line without length is a dot, however the picture is stretched.
    shape("path", { class: "plot-dot", d: points.filter((point) => point.isMarked).map((point) => `M${place(point)}h0`).join("") }),
  );
  const said = el("p", { className: "note plot-said" }, hint);
  const chart = el("div", { className: "plot", role: "slider", tabIndex: 0, "aria-label": title, "aria-valuemin": 0, "aria-valuemax": last, "aria-orientation": "horizontal" });
  const label = (className: string, text: string, side: "left" | "bottom", at: number) => {
    const made = el("span", { className, "aria-hidden": "true" }, text);
    made.style[side] = `${at}%`;
    return made;
  };
  put(chart, picture, ...rows.map((y) => label("plot-y", format(y), "bottom", up(y))), ...columns.map((x) => label("plot-x", x.toLocaleString("en"), "left", across(x))));
  const upright = (point: Point | undefined) => (point ? `M${across(point.x)} 0v100` : "");
  let now = 0;
  const read = (at: number, isPointed = true) => {
    now = Math.max(0, Math.min(last, at));
    const text = points[now]?.text ?? "";
    chart.setAttribute("aria-valuenow", String(now));
    chart.setAttribute("aria-valuetext", text);
    pointer.setAttribute("d", isPointed ? upright(points[now]) : "");
    put(said, isPointed ? text : hint);
  };
  const under = (event: MouseEvent) => {
    const box = chart.getBoundingClientRect();
    const x = left + ((event.clientX - box.left) / box.width) * (right - left);
    return points.reduce((best, point, at) => (Math.abs(point.x - x) < Math.abs((points[best]?.x ?? 0) - x) ? at : best), 0);
  };
  chart.onpointermove = (event) => read(under(event));
  chart.onpointerleave = () => read(now, chart.matches(":focus-visible"));
  chart.onfocus = () => read(now, chart.matches(":focus-visible"));
  chart.onblur = () => read(now, false);
  chart.onclick = (event) => {
    read(under(event));
    choose?.(now);
  };
  chart.onkeydown = (event) => {
    const step = STEPS[event.key];
    if (step === undefined && event.key !== "Enter") return;
    event.preventDefault();
    if (step === undefined) choose?.(now);
    else read(now + step);
  };
  if (choose) chart.classList.add("chosen");
  read(0, false);
  const mark = (at: number | undefined) => {
    here.setAttribute("d", at === undefined ? "" : upright(points[at]));
    if (at !== undefined && !chart.matches(":hover, :focus")) read(at, false);
  };
  return { element: el("figure", {}, el("figcaption", {}, title), chart, said), mark };
}

/** A table that scrolls sideways if it is too wide. The column of bars has no heading. */
export function table(heads: string[], rows: HTMLElement[]): HTMLElement {
  const head = el("tr", {}, ...heads.map((text, at) => el(text ? "th" : "td", { className: rows[0]?.children[at]?.className, ...(text && { scope: "col" }) }, text)));
  return el("div", { className: "wide", tabIndex: 0, role: "region", "aria-label": "Table" }, el("table", {}, el("thead", {}, head), el("tbody", {}, ...rows)));
}

/** A cell with a bar from zero to a value, and a line for its interval. */
export function bar(value: number, [low, high]: [number, number], interval?: [number, number]): HTMLElement {
  const at = (x: number) => (100 * (Math.min(high, Math.max(low, x)) - low)) / (high - low || 1);
  const [from, to] = [Math.min(at(0), at(value)), Math.max(at(0), at(value))];
  const picture = shape("svg", { viewBox: "0 0 100 10", preserveAspectRatio: "none", class: value < 0 ? "bars below" : "bars", "aria-hidden": "true" });
  picture.append(shape("rect", { x: from, width: to - from, y: 1, height: 8 }));
  if (interval) picture.append(shape("path", { d: `M${at(interval[0])} 5H${at(interval[1])}` }));
  if (low < 0) picture.append(shape("path", { class: "plot-grid", d: `M${at(0)} 0v10` }));
  const cell = el("td", { className: "bars" });
  cell.append(picture);
  return cell;
}

/** A cell with a number. */
export const number = (text: string): HTMLElement => el("td", { className: "number" }, text);
