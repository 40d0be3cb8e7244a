// The words of all pages in English, a file for each page.

import common from "./common.js";
import lobby from "./lobby.js";
import table from "./table.js";
import gonzaga from "./gonzaga.js";
import picture from "./picture.js";
import events from "./events.js";
import hints from "./hints.js";
import analysis from "./analysis.js";
import learn from "./learn.js";
import lessons from "./lessons.js";
import options from "./options.js";
import rules from "./rules.js";

export default {
  ...{ common, lobby, table, gonzaga, picture, events, hints, analysis, learn },
  ...{ lessons, options, rules },
};
