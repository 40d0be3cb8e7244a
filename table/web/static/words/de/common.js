/** @type {typeof import("../en/common.js").default} */
export default {};
