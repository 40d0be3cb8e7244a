/** @type {typeof import("../en/editor.js").default} */
export default {};
