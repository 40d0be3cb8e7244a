/** @type {typeof import("../en/events.js").default} */
export default {};
