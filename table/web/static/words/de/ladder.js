/** @type {typeof import("../en/ladder.js").default} */
export default {};
