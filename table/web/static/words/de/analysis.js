/** @type {typeof import("../en/analysis.js").default} */
export default {};
