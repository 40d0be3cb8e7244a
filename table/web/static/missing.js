// The page of an unknown address, in the language of this browser.

import { byId } from "./common/dom.js";
import { words } from "./words/index.js";

const { noPage, noPageWhy, toLobby } = words.common;
document.title = `${noPage} · Gonzaga`;
byId("title").textContent = noPage;
byId("why").textContent = noPageWhy;
byId("lobby").textContent = toLobby;
