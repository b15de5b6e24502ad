//! Names that the platform takes: what is in scope without an import, what many values have.

/// Names that are visible everywhere.
#[rustfmt::skip]
pub(super) const BUILTINS: &[&str] = &[
    "AbortController", "AbortSignal", "AggregateError", "Array", "ArrayBuffer", "AsyncGenerator",
    "AsyncIterable", "AsyncIterator", "Atomics", "Awaited", "BigInt", "BigInt64Array", "BigUint64Array", "Blob", "Boolean", "Buffer",
    "CanvasRenderingContext2D", "DOMException", "DataView", "Date", "Document", "Element", "Error", "EvalError", "Event",
    "EventTarget", "Exclude", "Extract", "File", "FileReader", "FinalizationRegistry", "Float32Array", "Float64Array", "FormData",
    "Function", "Generator", "HTMLElement", "Headers", "Image", "Infinity", "InstanceType", "Int16Array", "Int32Array", "Int8Array",
    "Intl", "Iterable", "Iterator", "JSON", "JSX", "Map", "Math", "MessageChannel", "MutationObserver", "NaN", "Node", "NodeJS",
    "NonNullable", "Number", "Object", "Omit", "Parameters", "Partial", "Path2D", "Pick", "Promise", "PromiseLike", "Proxy", "RangeError",
    "Readonly", "ReadonlyArray", "ReadonlyMap", "ReadonlySet", "Record", "ReferenceError", "Reflect", "RegExp", "Request",
    "Required", "ResizeObserver", "Response", "ReturnType", "Set", "SharedArrayBuffer", "String", "Symbol", "SyntaxError", "TextDecoder",
    "TextEncoder", "TypeError", "URIError", "URL", "URLSearchParams", "Uint16Array", "Uint32Array", "Uint8Array",
    "Uint8ClampedArray", "WeakMap", "WeakRef", "WeakSet", "WebSocket", "Worker", "XMLHttpRequest", "__dirname",
    "__filename", "alert", "any", "arguments", "atob", "bigint", "boolean", "btoa", "cancelAnimationFrame", "clearImmediate",
    "clearInterval", "clearTimeout", "confirm", "console", "crypto", "customElements", "decodeURI", "decodeURIComponent", "document",
    "encodeURI", "encodeURIComponent", "escape", "eval", "exports", "fetch", "global", "globalThis", "history",
    "indexedDB", "isFinite", "isNaN", "localStorage", "location", "matchMedia", "module", "navigator", "never", "null", "number", "object",
    "parseFloat", "parseInt", "performance", "process", "prompt", "queueMicrotask", "require", "requestAnimationFrame",
    "requestIdleCallback", "screen", "self", "sessionStorage", "setImmediate", "setInterval", "setTimeout", "string", "structuredClone",
    "symbol", "undefined", "unescape", "unknown", "void", "window",
];

/// Members that values from outside of the repository have: their names alone say nothing.
#[rustfmt::skip]
pub(super) const COMMON_MEMBERS: &[&str] = &[
    "addEventListener", "appendChild", "arrayBuffer", "beginPath", "bezierCurveTo", "charCodeAt", "clearRect",
    "cloneNode", "closePath", "codePointAt", "copyWithin", "createElement", "createElementNS", "createRoot", "createTextNode",
    "defineProperties", "defineProperty", "dispatchEvent", "drawImage", "elementFromPoint", "endsWith", "fillRect", "fillText",
    "findIndex", "findLast", "findLastIndex", "fromCharCode", "fromEntries", "getAttribute", "getBoundingClientRect", "getComputedStyle",
    "getContext", "getElementById", "getElementsByClassName", "getElementsByTagName", "getFullYear", "getImageData", "getItem",
    "getOwnPropertyDescriptor", "getOwnPropertyNames", "getPropertyPriority", "getPropertyValue", "getPrototypeOf", "getSelection", "getTime", "hasAttribute", "hasOwn",
    "hasOwnProperty", "includes", "insertBefore", "isArray", "isInteger", "isPrototypeOf", "lastIndexOf", "localeCompare",
    "matchAll", "measureText", "openDatabase", "padStart", "postMessage", "preventDefault", "putImageData", "quadraticCurveTo",
    "querySelector", "querySelectorAll", "readAsDataURL", "releasePointerCapture", "removeAttribute", "removeChild", "removeEventListener",
    "removeItem", "removeProperty", "replaceAll", "replaceChild", "replaceState", "reduceRight", "scrollIntoView", "setAttribute", "setItem", "setProperty",
    "setLineDash", "setPointerCapture", "setPrototypeOf", "setSelectionRange", "setTransform", "startsWith", "stopImmediatePropagation", "stopPropagation",
    "strokeRect", "strokeText", "toDataURL", "toFixed", "toISOString", "toLocaleLowerCase", "toLocaleString", "toLocaleUpperCase",
    "toLowerCase", "toReversed", "toSorted", "toString", "toUpperCase", "trimEnd", "trimStart", "useCallback",
    "useContext", "useEffect", "useLayoutEffect", "useMemo", "useReducer", "useState", "valueOf",
];
