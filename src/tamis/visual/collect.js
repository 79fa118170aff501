// Reads a drawn page, once: every node in document order with its box and its looks, as packed columns.
//
// Runs in a world of its own beside the page's scripts, so that nothing a page redefines can change what is read.
// A walk without recursion: pages nest as deep as they like. `most` is the largest number of nodes that is read;
// `mark` is an attribute name, given when the document is to be read back too (see match.py), else null.
(most, mark) => {
  const OTHER = 0, ELEMENT = 1, TEXT = 2;
  const NO_BOX = 1, INVISIBLE = 2, TRANSPARENT = 3, OUTSIDE = 4;
  // A form answers for its fields and a document for its forms: <input name=nodeType> would hide the real nodeType.
  // So what is read of a node is read through the interfaces themselves.
  const getter = (type, name) => {
    const { get } = Object.getOwnPropertyDescriptor(type.prototype, name);
    return (node) => get.call(node);
  };
  const [nodeType, lastChild, previous, following, parentOf] =
    ["nodeType", "lastChild", "previousSibling", "nextSibling", "parentNode"].map((name) => getter(Node, name));
  const [localName, prefixOf, shadowOf] =
    ["localName", "prefix", "shadowRoot"].map((name) => getter(Element, name));
  const rectOf = (node) => Element.prototype.getBoundingClientRect.call(node);
  const root = getter(Document, "documentElement")(document);
  const body = getter(Document, "body")(document);
  class Shadow { constructor(shadow) { this.shadow = shadow; } }

  const leftX = window.scrollX, topY = window.scrollY;
  const rightToLeft = root && getComputedStyle(root).direction === "rtl";
  const pageWidth = root ? root.clientWidth : 0;

  const kind = [], tag = [], length = [], box = [], visibility = [], size = [], weight = [], colour = [], ground = [];
  const inline = [], elements = [];
  const names = new Map(), colours = new Map();
  let canvas = null;

  const number = (table, key) => {
    let found = table.get(key);
    if (found === undefined) table.set(key, found = table.size);
    return found;
  };
  // A colour as 0xRRGGBBAA. What is not written rgb() or rgba() is asked from a canvas.
  const packed = (text) => {
    let found = colours.get(text);
    if (found === undefined) {
      const parts = /^rgba?\(([\d.]+), ([\d.]+), ([\d.]+)(?:, ([\d.]+))?\)$/.exec(text);
      let [r, g, b, a] = parts ? [+parts[1], +parts[2], +parts[3], parts[4] === undefined ? 255 : 255 * parts[4]] : [];
      if (!parts) {
        canvas ??= new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
        canvas.clearRect(0, 0, 1, 1);
        canvas.fillStyle = text;
        canvas.fillRect(0, 0, 1, 1);
        [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
      }
      found = ((r << 24) | (g << 16) | (b << 8) | Math.round(a)) >>> 0;
      colours.set(text, found);
    }
    return found;
  };
  // What is left of a rectangle within a clip, in the page's own coordinates.
  const within = (rect, clip) => {
    const out = [rect.left + leftX, rect.top + topY, rect.right + leftX, rect.bottom + topY];
    if (clip) {
      out[0] = Math.max(out[0], clip[0]);
      out[1] = Math.max(out[1], clip[1]);
      out[2] = Math.max(out[0], Math.min(out[2], clip[2]));
      out[3] = Math.max(out[1], Math.min(out[3], clip[3]));
    }
    return out;
  };
  const outside = (r) => r[3] <= 0 || (rightToLeft ? r[0] >= pageWidth : r[2] <= 0);
  const add = (type, name, letters, rect, reason, look) => {
    kind.push(type);
    tag.push(name);
    length.push(letters);
    box.push(rect ? rect[0] : 0, rect ? rect[1] : 0, rect ? rect[2] : 0, rect ? rect[3] : 0);
    visibility.push(reason);
    size.push(look ? look.size : 0);
    weight.push(look ? look.weight : 0);
    colour.push(look ? look.colour : 0);
    ground.push(look ? look.ground : 0);
    inline.push(look && look.inline ? 1 : 0);
  };

  // What a node inherits: no box at all, transparency, the clip for what flows and for what is placed, background.
  const start = { none: false, clear: false, clip: null, placed: null, look: { ground: 0xffffffff } };
  const ABSENT = { ...start, none: true, look: null };

  const element = (node, state) => {
    elements.push(node);
    const prefix = prefixOf(node);
    const name = number(names, prefix ? `${prefix}:${localName(node)}` : localName(node));
    if (state.none) {
      add(ELEMENT, name, 0, null, NO_BOX, null);
      return state;
    }
    const css = getComputedStyle(node);
    const own = packed(css.backgroundColor);
    const look = {
      size: parseFloat(css.fontSize) || 0,
      weight: parseInt(css.fontWeight) || 0,
      colour: packed(css.color),
      ground: own & 0xff ? own : state.look.ground,
      inline: /^(inline|ruby|contents)/.test(css.display),
    };
    if (css.display === "none" || !(css.display === "contents" || Element.prototype.checkVisibility.call(node))) {
      add(ELEMENT, name, 0, null, NO_BOX, look);
      return { ...ABSENT, look };
    }
    const place = css.position;
    const clip = place === "fixed" ? null : place === "absolute" ? state.placed : state.clip;
    const clear = state.clear || css.opacity === "0";
    const rect = within(rectOf(node), clip);
    const empty = rect[2] <= rect[0] || rect[3] <= rect[1];
    const reason = css.visibility !== "visible" ? INVISIBLE : clear ? TRANSPARENT
      : empty ? NO_BOX : outside(rect) ? OUTSIDE : 0;
    add(ELEMENT, name, 0, rect, reason, look);
    const next = { none: false, clear, clip, placed: place === "static" ? state.placed : clip, look };
    // The viewport, not the element, clips what html and body say; what can be scrolled can be read.
    const cuts = node !== root && node !== body && !look.inline;
    const cut = cuts && /hidden|clip/.test(css.overflowX + css.overflowY);
    const old = css.clip !== "auto" && place !== "static" ? css.clip.match(/-?[\d.]+(?=px)/g) : null;
    if (cut || (old && old.length === 4)) {
      const whole = within(rectOf(node), null);
      if (old && old.length === 4) {
        const [top, right, bottom, left] = old.map(Number);
        const [x, y] = whole;
        next.clip = within({ left: x + left - leftX, top: y + top - topY, right: x + right - leftX,
          bottom: y + bottom - topY }, clip);
      } else {
        if (!/hidden|clip/.test(css.overflowX)) [whole[0], whole[2]] = [-Infinity, Infinity];
        if (!/hidden|clip/.test(css.overflowY)) [whole[1], whole[3]] = [-Infinity, Infinity];
        next.clip = clip ? [Math.max(whole[0], clip[0]), Math.max(whole[1], clip[1]),
          Math.min(whole[2], clip[2]), Math.min(whole[3], clip[3])] : whole;
      }
      if (place !== "static") next.placed = next.clip;
    }
    return next;
  };

  const range = new Range();
  const text = (first, last, letters, dark, state) => {
    const parent = parentOf(first);
    const shut = parent instanceof HTMLDetailsElement && !parent.open;
    if (state.none || shut || !dark) {
      add(TEXT, 0, letters, null, NO_BOX, state.look && { ...state.look, inline: true });
      return;
    }
    range.setStart(first, 0);
    range.setEnd(last, last.length);
    const raw = range.getBoundingClientRect();
    const rect = within(raw, state.clip);
    const clipped = rect[2] - rect[0] < 1 || rect[3] - rect[1] < 1;
    const reason = raw.width <= 0 || raw.height <= 0 ? NO_BOX
      : nodeType(parent) === 1 && getComputedStyle(parent).visibility !== "visible" ? INVISIBLE
      : state.clear ? TRANSPARENT : clipped || outside(rect) ? OUTSIDE : 0;
    add(TEXT, 0, letters, rect, reason, { ...state.look, inline: true });
  };

  // A stack of nodes that are still to come, each with its parent's state. A shadow root stands where its template
  // would stand in markup: a template before the other children, with its content.
  const waiting = [[document, start]];
  while (waiting.length) {
    const [node, state] = waiting.pop();
    if (kind.length > most) return { tooMany: true };
    if (node instanceof Shadow) {
      add(ELEMENT, number(names, "template"), 0, null, NO_BOX, null);
      elements.push(null);
      waiting.push([node.shadow, state]);
      continue;
    }
    const type = nodeType(node);
    let inner = state;
    if (type === Node.ELEMENT_NODE) inner = element(node, state);
    else if (type === Node.TEXT_NODE) {
      // Neighbouring text nodes are one run: long texts come in pieces, and scripts leave pieces behind.
      let last = node, letters = node.length, dark = /\S/.test(node.data), next = following(node);
      while (next && nodeType(next) === Node.TEXT_NODE) {
        last = next;
        letters += last.length;
        dark ||= /\S/.test(last.data);
        next = following(last);
        waiting.pop();
      }
      text(node, last, letters, dark, state);
      continue;
    } else add(OTHER, 0, 0, null, NO_BOX, null);
    for (let child = lastChild(node); child; child = previous(child)) waiting.push([child, inner]);
    if (type === Node.ELEMENT_NODE) {
      const shadow = shadowOf(node);
      if (shadow) waiting.push([new Shadow(shadow), inner]);
      if (node instanceof HTMLTemplateElement) waiting.push([node.content, ABSENT]);
    }
  }

  const base64 = (array) => {
    const bytes = new Uint8Array(array.buffer);
    let out = "";
    for (let at = 0; at < bytes.length; at += 0x8000) out += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
    return btoa(out);
  };
  let html = null;
  if (mark !== null) {
    const shadows = [];
    elements.forEach((node, at) => {
      if (!node) return;
      Element.prototype.setAttribute.call(node, mark, at);
      const shadow = shadowOf(node);
      if (shadow) shadows.push(shadow);
    });
    const doctype = getter(Document, "doctype")(document);
    const whole = root ? root.getHTML({ shadowRoots: shadows }) : "";
    const open = root ? root.cloneNode(false).outerHTML : "";
    html = (doctype ? new XMLSerializer().serializeToString(doctype) : "")
      + open.replace(/<\/html>$/, () => whole + "</html>");
  }
  return {
    kind: base64(Uint8Array.from(kind)), tag: base64(Uint32Array.from(tag)), length: base64(Uint32Array.from(length)),
    box: base64(Float32Array.from(box)), visibility: base64(Uint8Array.from(visibility)),
    size: base64(Float32Array.from(size)), weight: base64(Uint16Array.from(weight)),
    colour: base64(Uint32Array.from(colour)), ground: base64(Uint32Array.from(ground)),
    inline: base64(Uint8Array.from(inline)), names: [...names.keys()], html, url: location.href,
    width: root ? root.scrollWidth : 0, height: root ? root.scrollHeight : 0,
  };
}
