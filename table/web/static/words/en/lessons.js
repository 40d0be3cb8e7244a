// The lessons of the first games of The Castles of Tuscany and Signorie; Gonzaga's are in learn.js.

export default {
  try: (choice) => `Try: ${choice}.`,
  tuscany: {
    lesson: {
      boards: () =>
        "Three boards side by side are your region. Equal colors that touch form a zone: covering its last hex scores 1, 3 or 6 for one, two or three hexes (T7.1). Look for zones of three.",
      castle: () =>
        "The starting castle covers its hex, and your first tile has to touch a covered one (T6.1). Put it between zones that you want early.",
      bonus: () =>
        "A bonus tile stays for the whole game and adds up (T9.2). One more card from every draw is worth most now (T4.1).",
      take: () =>
        "A turn is one action: draw, take or place (T3.1). Take a tile of a color that lies beside your castle. Your own stack replaces it, and whoever has turned seven tiles ends the round (T10.1).",
      place: () =>
        "Now put it on a hex of its color beside a covered one (T6.1). The price is two units: a card of the color, two equal cards of another, or a worker each (T6.2).",
      pay: () => "Pay with the cards that you will miss least (T6.2).",
      marble: () =>
        "Each color has an effect: a quarry brings a marble (T8.5). Return it for one more action in the same turn (T3.2).",
      second: () => "This is your second action. Take what you want to place next, before somebody else does (T5.1).",
      draw: () =>
        "Without two units nothing can be placed, so draw: two cards, and one for each +1 card tile (T4.1). Do not wait long: green points of round 1 count again after rounds 2 and 3 (T11.1).",
      onYourOwn: () =>
        "You know all of it now. Complete zones, then colors: the first to do so gets a bonus (T7.2). Hint shows what an agent would do.",
      over: () =>
        "Green points counted after each round (T11.1), and what was left over counted a little (T11.2). Try a puzzle next, or a game against another agent.",
    },
    done: {
      boards: "These boards fit well.",
      castle: "A good place to begin.",
      bonus: "It helps from now on.",
      take: "Taken. It waits in your storage.",
      place: "Well placed.",
      pay: "Paid and placed.",
      marble: "One more action.",
      second: "Two actions in one turn.",
      draw: "More cards, more choice.",
    },
  },
  signorie: {
    lesson: {
      tracks: () =>
        "Put a die on your slot of its color and pay what it lacks to the slot’s number (S5.3). Grey gives four points for your tracks (S8.1).",
      advance: () =>
        "A point lets a male enter a career, or moves one up a slot (S9.1). From higher slots missions score more (S8.2), so let one man climb.",
      hire: () =>
        "A helper acts whenever you put a die into his column, to the end of the game (S6.3). Besides the die he costs his own price (S6.1): hire early.",
      assign: () =>
        "An assignment of the die’s color spends meeples of the sex shown (S7.1). One marked “..3” takes one to three and acts once for each (S7.2).",
      spend: () => "Each meeple that you spend does the effect once more; it goes to your general stock (S7.3).",
      low: ({ sum }) =>
        `Whose dice add up to 13 or less gets the round’s reward (S11.3). Yours add up to ${sum}: take a last die that keeps within it, or pass.`,
      reward: () => "You kept within 13. Take the round’s bonus tile, or 3 Florins (S11.4).",
      wed: () => "You may wed, too: a bride is free, and gives one more die whenever you roll for offspring (S8.3, S11.4).",
      marriage: () =>
        "A marriage puts a female into a city, and each Florin of her dowry scores 2 VP (S8.5). Keep some Florins for it.",
      dowry: () =>
        "Choose the city by its tile, too: it joins your marriage row if its House is missing there (S10.2). Rows of three tiles score at the end (S12.2).",
      mission: () =>
        "A mission sends a male from his career to a city and scores the VP of the slot that he leaves (S8.2).",
      city: () => "His rank has to be at least the lowest free number of the city (S8.2). Take the man from the highest slot.",
      onYourOwn: () =>
        "You know all of it now. Collect three tiles in each row (S12.2), and mind the sum of your dice. Hint shows what an agent would do.",
      over: () =>
        "Rows of tiles and the men on careers have scored now (S12.1, S12.2). Try a puzzle next, or a game against another agent.",
    },
    done: {
      tracks: "Four points to spend.",
      advance: "One step further.",
      hire: "Your first helper.",
      assign: "That is an assignment.",
      spend: "Well spent.",
      low: "You keep within 13.",
      reward: "Your first reward.",
      wed: "Your first bride.",
      marriage: "Now the city and the dowry.",
      dowry: "Well married.",
      mission: "Now the man and the city.",
      city: "A good mission.",
    },
  },
};
