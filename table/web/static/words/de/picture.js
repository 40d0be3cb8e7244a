/** @type {typeof import("../en/picture.js").default} */
export default {};
