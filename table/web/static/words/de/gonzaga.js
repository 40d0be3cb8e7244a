/** @type {typeof import("../en/gonzaga.js").default} */
export default {};
