/** @type {typeof import("../en/rules.js").default} */
export default {};
