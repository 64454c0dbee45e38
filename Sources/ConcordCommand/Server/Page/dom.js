// Elements are made here, from text nodes and attributes: no HTML is ever parsed, so nothing that a document holds can
// become markup.

export const byID = (id) => document.getElementById(id);

/** An element. Properties: `class`, `on` (listeners by event), everything else an attribute; false and null are left out. */
export function element(name, properties = {}, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue;
    if (key === "class") node.className = value;
    else if (key === "on") for (const [event, listener] of Object.entries(value)) node.addEventListener(event, listener);
    else node.setAttribute(key, value === true ? "" : value);
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

/** An icon of the sprite in index.html. */
export function icon(name, classes = "icon") {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("class", classes);
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
  use.setAttribute("href", `#${name}`);
  svg.append(use);
  return svg;
}

/** A button with an icon whose name only a screen reader and the tooltip say. */
export function iconButton(name, label, listener, properties = {}) {
  return element("button", { class: "icon-button", type: "button", "aria-label": label, title: label, on: { click: listener }, ...properties }, icon(name));
}

/** Whether keys that are typed go into this node. */
export function takesText(node) {
  return node instanceof HTMLElement && (node.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(node.tagName)) && !/^(checkbox|radio)$/.test(node.type);
}
