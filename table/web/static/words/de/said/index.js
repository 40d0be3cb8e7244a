// What the server says, by game.

import { common } from "./common.js";
import { signorie } from "./signorie.js";
import { tuscany } from "./tuscany.js";

export default { common, signorie, tuscany };
