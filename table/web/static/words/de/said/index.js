// What the server says, by game.

import { common } from "./common.js";
import { codes, refusals } from "./refusals.js";
import { signorie } from "./signorie.js";
import { tuscany } from "./tuscany.js";

export default { common, signorie, tuscany };
export { codes, refusals };
