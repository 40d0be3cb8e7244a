/** @type {typeof import("../en/learn.js").default} */
export default {};
