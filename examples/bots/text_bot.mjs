// A bot in JavaScript that reads the texts of its choices and prefers those with the most words:
//
// python evaluate.py "cmd:node examples/bots/text_bot.mjs" random --deals 10
import process from "node:process";
import { createInterface } from "node:readline";

const write = (message) => process.stdout.write(JSON.stringify(message) + "\n");

/** Returns the text of a decision's longest choice; answers may be texts or numbers. */
function choose(decision) {
  return decision.texts.reduce((best, text) => (text.length > best.length ? text : best));
}

let asked = { decisions: [] };

function answer(message) {
  switch (message.type) {
    case "hello":
      write({ type: "hello", protocol: 1, name: "longest text", want: ["texts"] });
      break;
    case "decide":
      asked = message;
      write({ id: message.id, actions: message.decisions.map(choose) });
      break;
    case "illegal":
      // The reasons are in message.errors[i].reason; the first legal action is always right.
      write({
        id: message.id,
        actions: message.errors.map((error) => asked.decisions[error.index].legal[0]),
      });
      break;
    case "goodbye":
      process.exit(0);
  }
}

createInterface({ input: process.stdin }).on("line", (line) => answer(JSON.parse(line)));
