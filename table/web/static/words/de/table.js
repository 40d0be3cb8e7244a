/** @type {typeof import("../en/table.js").default} */
export default {};
