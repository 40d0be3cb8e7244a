/** @type {typeof import("../en/lobby.js").default} */
export default {};
