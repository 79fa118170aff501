// Reads a rendered document once: every node in document order with its rectangle and style, as packed columns.
//
// Runs in an isolated world beside the page's scripts, so nothing that a page redefines can change what is read. The
// walk does not recurse: pages may nest to any depth. `maxNodes` is the largest number of nodes that is read.
// `idAttribute` is the name of an attribute that receives the elements' numbers, if the document is to be returned
// too (see match.py), else null.
(maxNodes, idAttribute) => {
  // As in tamis.page.columns and tamis.page.layout.Visibility.
  const OTHER = 0, ELEMENT = 1, TEXT = 2;
  const VISIBLE = 0, NO_BOX = 1, INVISIBLE = 2, TRANSPARENT = 3, OUTSIDE = 4;
  // The fields of a form and the forms of a document shadow their properties: <input name=nodeType> would hide the
  // real nodeType. So the properties of nodes are read through the getters of their interfaces.
  const getter = (type, name) => {
    const { get } = Object.getOwnPropertyDescriptor(type.prototype, name);
    return (node) => get.call(node);
  };
  const [nodeType, lastChild, previousSibling, nextSibling, parentNode] =
    ["nodeType", "lastChild", "previousSibling", "nextSibling", "parentNode"].map((name) => getter(Node, name));
  const [localName, namespacePrefix, shadowRoot] =
    ["localName", "prefix", "shadowRoot"].map((name) => getter(Element, name));
  const boundingRect = (node) => Element.prototype.getBoundingClientRect.call(node);
  const root = getter(Document, "documentElement")(document);
  const body = getter(Document, "body")(document);
  class ShadowTemplate { constructor(shadow) { this.shadow = shadow; } }

  const scrollX = window.scrollX, scrollY = window.scrollY;
  const rightToLeft = root && getComputedStyle(root).direction === "rtl";
  const pageWidth = root ? root.clientWidth : 0;

  // One entry per node.
  const types = [], tags = [], lengths = [], left = [], top = [], right = [], bottom = [], visibility = [];
  const fontSize = [], fontWeight = [], color = [], background = [], inline = [];
  const elements = []; // in document order, null for the template of a shadow root
  const tagNames = new Map(), packedColors = new Map();
  let canvas = null;

  const tagIndex = (name) => {
    let index = tagNames.get(name);
    if (index === undefined) tagNames.set(name, index = tagNames.size);
    return index;
  };
  // Returns a color as 0xRRGGBBAA. A canvas converts colors that are not written rgb() or rgba().
  const packColor = (text) => {
    let packed = packedColors.get(text);
    if (packed === undefined) {
      const parts = /^rgba?\(([\d.]+), ([\d.]+), ([\d.]+)(?:, ([\d.]+))?\)$/.exec(text);
      let [r, g, b, a] = parts ? [+parts[1], +parts[2], +parts[3], parts[4] === undefined ? 255 : 255 * parts[4]] : [];
      if (!parts) {
        canvas ??= new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
        canvas.clearRect(0, 0, 1, 1);
        canvas.fillStyle = text;
        canvas.fillRect(0, 0, 1, 1);
        [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
      }
      packed = ((r << 24) | (g << 16) | (b << 8) | Math.round(a)) >>> 0;
      packedColors.set(text, packed);
    }
    return packed;
  };
  // Returns the part of a rectangle inside a clip, in page coordinates: [left, top, right, bottom].
  const clipTo = (rect, clip) => {
    const out = [rect.left + scrollX, rect.top + scrollY, rect.right + scrollX, rect.bottom + scrollY];
    if (clip) {
      out[0] = Math.max(out[0], clip[0]);
      out[1] = Math.max(out[1], clip[1]);
      out[2] = Math.max(out[0], Math.min(out[2], clip[2]));
      out[3] = Math.max(out[1], Math.min(out[3], clip[3]));
    }
    return out;
  };
  // Returns whether scrolling cannot reach a rectangle.
  const isOutside = (rect) => rect[3] <= 0 || (rightToLeft ? rect[0] >= pageWidth : rect[2] <= 0);
  const addNode = (type, tag, length, rect, reason, style) => {
    types.push(type);
    tags.push(tag);
    lengths.push(length);
    left.push(rect ? rect[0] : 0);
    top.push(rect ? rect[1] : 0);
    right.push(rect ? rect[2] : 0);
    bottom.push(rect ? rect[3] : 0);
    visibility.push(reason);
    fontSize.push(style ? style.fontSize : 0);
    fontWeight.push(style ? style.fontWeight : 0);
    color.push(style ? style.color : 0);
    background.push(style ? style.background : 0);
    inline.push(style && style.inline ? 1 : 0);
  };

  // What a node inherits: whether an ancestor has no box or is transparent, the clip of nodes in the flow, the clip of
  // absolutely positioned nodes, and the parent's style.
  const initialState =
    { noBox: false, transparent: false, flowClip: null, positionedClip: null, style: { background: 0xffffffff } };
  const noBoxState = { ...initialState, noBox: true, style: null };

  // Adds an element and returns the state that its children inherit.
  const addElement = (node, state) => {
    elements.push(node);
    const prefix = namespacePrefix(node);
    const tag = tagIndex(prefix ? `${prefix}:${localName(node)}` : localName(node));
    if (state.noBox) {
      addNode(ELEMENT, tag, 0, null, NO_BOX, null);
      return state;
    }
    const css = getComputedStyle(node);
    const backgroundColor = packColor(css.backgroundColor);
    const style = {
      fontSize: parseFloat(css.fontSize) || 0,
      fontWeight: parseInt(css.fontWeight) || 0,
      color: packColor(css.color),
      background: backgroundColor & 0xff ? backgroundColor : state.style.background,
      inline: /^(inline|ruby|contents)/.test(css.display),
    };
    if (css.display === "none" || !(css.display === "contents" || Element.prototype.checkVisibility.call(node))) {
      addNode(ELEMENT, tag, 0, null, NO_BOX, style);
      return { ...noBoxState, style };
    }
    const position = css.position;
    const clip = position === "fixed" ? null : position === "absolute" ? state.positionedClip : state.flowClip;
    const transparent = state.transparent || css.opacity === "0";
    const rect = clipTo(boundingRect(node), clip);
    const isEmpty = rect[2] <= rect[0] || rect[3] <= rect[1];
    const reason = css.visibility !== "visible" ? INVISIBLE : transparent ? TRANSPARENT
      : isEmpty ? NO_BOX : isOutside(rect) ? OUTSIDE : VISIBLE;
    addNode(ELEMENT, tag, 0, rect, reason, style);
    const childState = {
      noBox: false, transparent, flowClip: clip,
      positionedClip: position === "static" ? state.positionedClip : clip, style,
    };
    // The viewport, not the element, applies the overflow of html and body. What can be scrolled can be read.
    const canClip = node !== root && node !== body && !style.inline;
    const clipsOverflow = canClip && /hidden|clip/.test(css.overflowX + css.overflowY);
    // The deprecated property `clip`: rect(top, right, bottom, left).
    const clipRect = css.clip !== "auto" && position !== "static" ? css.clip.match(/-?[\d.]+(?=px)/g) : null;
    const hasClipRect = clipRect && clipRect.length === 4;
    if (clipsOverflow || hasClipRect) {
      const unclipped = clipTo(boundingRect(node), null);
      if (hasClipRect) {
        const [clipTop, clipRight, clipBottom, clipLeft] = clipRect.map(Number);
        const [x, y] = unclipped;
        childState.flowClip = clipTo({ left: x + clipLeft - scrollX, top: y + clipTop - scrollY,
          right: x + clipRight - scrollX, bottom: y + clipBottom - scrollY }, clip);
      } else {
        if (!/hidden|clip/.test(css.overflowX)) [unclipped[0], unclipped[2]] = [-Infinity, Infinity];
        if (!/hidden|clip/.test(css.overflowY)) [unclipped[1], unclipped[3]] = [-Infinity, Infinity];
        childState.flowClip = clip ? [Math.max(unclipped[0], clip[0]), Math.max(unclipped[1], clip[1]),
          Math.min(unclipped[2], clip[2]), Math.min(unclipped[3], clip[3])] : unclipped;
      }
      if (position !== "static") childState.positionedClip = childState.flowClip;
    }
    return childState;
  };

  // Adds a text run: the text nodes from `first` to `last`.
  const range = new Range();
  const addText = (first, last, length, hasText, state) => {
    const parent = parentNode(first);
    const isClosed = parent instanceof HTMLDetailsElement && !parent.open;
    if (state.noBox || isClosed || !hasText) {
      addNode(TEXT, 0, length, null, NO_BOX, state.style && { ...state.style, inline: true });
      return;
    }
    range.setStart(first, 0);
    range.setEnd(last, last.length);
    const rangeRect = range.getBoundingClientRect();
    const rect = clipTo(rangeRect, state.flowClip);
    const isClipped = rect[2] - rect[0] < 1 || rect[3] - rect[1] < 1;
    const reason = rangeRect.width <= 0 || rangeRect.height <= 0 ? NO_BOX
      : nodeType(parent) === 1 && getComputedStyle(parent).visibility !== "visible" ? INVISIBLE
      : state.transparent ? TRANSPARENT : isClipped || isOutside(rect) ? OUTSIDE : VISIBLE;
    addNode(TEXT, 0, length, rect, reason, { ...state.style, inline: true });
  };

  // A stack of the nodes to visit, each with the state that it inherits. A shadow root is visited as it would be
  // written in markup: as a template before the other children, with its content.
  const stack = [[document, initialState]];
  while (stack.length) {
    const [node, state] = stack.pop();
    if (types.length > maxNodes) return { tooManyNodes: true };
    if (node instanceof ShadowTemplate) {
      addNode(ELEMENT, tagIndex("template"), 0, null, NO_BOX, null);
      elements.push(null);
      stack.push([node.shadow, state]);
      continue;
    }
    const type = nodeType(node);
    let childState = state;
    if (type === Node.ELEMENT_NODE) childState = addElement(node, state);
    else if (type === Node.TEXT_NODE) {
      // Adjacent text nodes are one run: the parser splits long texts, and scripts leave split texts behind.
      let last = node, length = node.length, hasText = /\S/.test(node.data), next = nextSibling(node);
      while (next && nodeType(next) === Node.TEXT_NODE) {
        last = next;
        length += last.length;
        hasText ||= /\S/.test(last.data);
        next = nextSibling(last);
        stack.pop();
      }
      addText(node, last, length, hasText, state);
      continue;
    } else addNode(OTHER, 0, 0, null, NO_BOX, null);
    for (let child = lastChild(node); child; child = previousSibling(child)) stack.push([child, childState]);
    if (type === Node.ELEMENT_NODE) {
      const shadow = shadowRoot(node);
      if (shadow) stack.push([new ShadowTemplate(shadow), childState]);
      if (node instanceof HTMLTemplateElement) stack.push([node.content, noBoxState]);
    }
  }

  const base64 = (array) => {
    const bytes = new Uint8Array(array.buffer);
    let out = "";
    for (let at = 0; at < bytes.length; at += 0x8000) out += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
    return btoa(out);
  };
  let html = null;
  if (idAttribute !== null) {
    const shadowRoots = [];
    elements.forEach((node, number) => {
      if (!node) return;
      Element.prototype.setAttribute.call(node, idAttribute, number);
      const shadow = shadowRoot(node);
      if (shadow) shadowRoots.push(shadow);
    });
    const doctype = getter(Document, "doctype")(document);
    const inner = root ? root.getHTML({ shadowRoots }) : "";
    const emptyRoot = root ? root.cloneNode(false).outerHTML : "";
    html = (doctype ? new XMLSerializer().serializeToString(doctype) : "")
      + emptyRoot.replace(/<\/html>$/, () => inner + "</html>");
  }
  // The keys are the columns of tamis.browser.match.Snapshot.
  return {
    node_type: base64(Uint8Array.from(types)), tag: base64(Uint32Array.from(tags)),
    length: base64(Uint32Array.from(lengths)),
    left: base64(Float32Array.from(left)), top: base64(Float32Array.from(top)),
    right: base64(Float32Array.from(right)), bottom: base64(Float32Array.from(bottom)),
    visibility: base64(Uint8Array.from(visibility)), font_size: base64(Float32Array.from(fontSize)),
    font_weight: base64(Uint16Array.from(fontWeight)), color: base64(Uint32Array.from(color)),
    background: base64(Uint32Array.from(background)), inline: base64(Uint8Array.from(inline)),
    names: [...tagNames.keys()], html, url: location.href,
    width: root ? root.scrollWidth : 0, height: root ? root.scrollHeight : 0,
  };
}
