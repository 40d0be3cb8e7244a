/** @type {typeof import("../en/learn.js").default} */
export default {
  title: "Lernen",
  lead: "Ein erstes Spiel mit sechs Lektionen, Rätsel aus echten Spielen und die Regeln.",
  firstTitle: "Dein erstes Spiel",
  firstText:
    "Zu zweit, die Karten sind immer die gleichen. Sechs Lektionen bringen je eine Idee und etwas zum Ausprobieren; du kannst jederzeit aufhören.",
  puzzlesTitle: "Rätsel",
  puzzlesText:
    "Stellungen aus Spielen von Agenten. Jede hat genau eine beste Antwort, geprüft nach den Regeln oder durch Tausende weitergespielte Spiele.",
  solvedOf: (solved, all) => `${solved} von ${all} gelöst`,
  rulesTitle: "Die Regeln",
  rulesText: "Alle auf einer Seite, mit Bildern.",
  rulesOpen: "Regeln lesen",
  levels: ["", "Leicht", "Mittel", "Schwer"],
  solved: "gelöst",
  puzzle: "Rätsel",
  puzzleNumber: (number) => `Rätsel ${number}`,
  players: (number) => `${number} Personen`,
  kinds: {
    points: "Die meisten Punkte jetzt",
    plan: "Der Plan für die meisten Punkte",
    first: "Sicher zuerst",
    reply: "Die beste Antwort der anderen",
    final: "Der letzte Zug",
    best: "Auf lange Sicht am besten",
  },
  questions: {
    points: () => "Welcher Zug bringt jetzt die meisten Punkte, mit allem, was er auslöst?",
    plan: () =>
      "Wenn niemand vor dir einsetzt: Mit welcher Regions- und welcher Aktionskarte bringt dein Lehen die meisten Punkte?",
    first: () =>
      "Welcher Plan kommt sicher zuerst, was auch immer die anderen planen, und bringt die meisten Punkte? Gib keinen Ring umsonst aus.",
    reply: (rival) =>
      `${rival} ist nach dir am Zug und holt so viele Punkte wie möglich. Mit welchem Zug liegst du danach am besten: deine Punkte minus die anderen?`,
    final: () =>
      "Der letzte Zug des Spiels. Welcher bringt dir die meisten Punkte, die Schlusswertung eingerechnet?",
    best: (rival, number) => `Welche dieser ${number} Möglichkeiten gewinnt am häufigsten?`,
  },
  reasons: {
    points: (points, parts) => `bringt ${points}${parts && ` (${parts})`}`,
    plan: (points) => `bringt höchstens ${points}`,
    first: (points) => `kommt zuerst und bringt höchstens ${points}`,
    before: (name, cards) => `kommt vielleicht zu spät: ${name} ist mit ${cards} früher dran`,
    needless: "kommt auch ohne den Ring zuerst",
    reply: ({ own, rival, points, by, value }) =>
      `du holst ${own}, ${rival} dann ${points}${by && ` (${by})`}: ${value}`,
    final: (total, parts) => `${total} Punkte am Ende (${parts})`,
    best: (percent) => `gewinnt ${percent} der Spiele`,
  },
  sourceOf: (source, points) => `${source} +${points}`,
  right: "Genau!",
  wrong: "Es gibt etwas Besseres.",
  yours: "Deine Wahl",
  best: "Am besten",
  evidence: (playouts) => `jede Möglichkeit wurde ${playouts} Mal bis zum Ende weitergespielt`,
  showBest: "Antwort zeigen",
  again: "Noch einmal",
  next: "Nächstes Rätsel",
  all: "Alle Rätsel",
  playOn: "Von hier aus weiterspielen",
  lessons: "Lektion",
  lessonOf: (round) => `Lektion ${round}`,
  leave: "Lektionen beenden",
  showMe: "Zeig es mir",
  lesson: {
    plan: ({ region, card, spots }) =>
      `Alle planen geheim: Die Regionskarte sagt, wo, die Aktionskarte, was. Wähle ${region} und ${card}: Dort hat dein Lehen ${spots} Plätze.`,
    planAny: ({ region, card }) => `Plane wieder: ${region} und ${card} sehen für dieses Lehen gut aus.`,
    place: ({ points }) =>
      `Setze es jetzt ein: Zeige auf die Karte, drehe mit R und klicke auf „Spielen“. Eine Stadt oder ein Hafen zählt 3 in einer aktiven Region: Finde einen Platz für +${points}.`,
    locked: ({ region, card, own, rival, name }) =>
      `Die Karten der letzten Runde sind gesperrt: deine (${own}) und die von ${name} (${rival}). So weißt du schon, was nicht kommt. Wähle ${region} und ${card}.`,
    lockedAny: ({ region, card, own, rival, name }) =>
      `Die Karten der letzten Runde sind gesperrt: deine (${own}) und die von ${name} (${rival}). Wähle ${region} und ${card}.`,
    cities: ({ points }) => `Karte ${"B"} bedeckt Städte, aber keinen Hafen. Finde einen Platz für +${points}.`,
    league: ({ region, card, sea, held }) =>
      `Drei Häfen eines Meeres sind ein See-Bündnis: einmal 10 Punkte. Du hast ${held} an ${sea}, wähle also ${region} und ${card}.`,
    harbors: ({ region, card, sea }) =>
      `Drei Häfen eines Meeres sind ein See-Bündnis: einmal 10 Punkte. Wähle ${region} und ${card}, und sammle ${sea}.`,
    leagueNow: ({ sea, points }) => `Bedecke den Hafen, der ${sea} vollendet: +${points}.`,
    harborsNow: ({ sea }) => `Bedecke Häfen an ${sea}: Mit dem dritten entsteht das Bündnis.`,
    alliance: ({ region, card }) =>
      `Karte ${card} erlaubt ein Heiratsbündnis: statt des Lehens einen Ring oder zwei nebeneinander. Wähle ${region} und ${card}.`,
    wedding: ({ sites }) =>
      `Klicke auf „Heirat“, dann auf zwei markierte Felder: ${sites}. Ein Ring darf auf einem fremden Lehen liegen und zählt wie ein eigenes.`,
    privilege: ({ region, card, name }) =>
      `A kommt vor B, B vor C, bei Gleichstand die niedrigere Lehenkarte. Das Königliche Privileg kostet einen Ring und bringt dich vor ${name}: Wähle ${region}, ${card} und ♔.`,
    turn: ({ name, points }) =>
      `Du bist zuerst dran, und ${name} muss nehmen, was übrig bleibt. Nimm den Platz für +${points}.`,
    objective: ({ region, card }) =>
      `Gestrichelte Kreise zeigen die sechs Städte deiner geheimen Aufgabe: vier zählen am Ende 15 Punkte, sechs 35. Wähle ${region} und ${card}.`,
    group: ({ sites }) =>
      `Was sich berührt, ist verbunden; die größte Gruppe zählt am Ende 15 Punkte. Schließe an deine Lehen an und bedecke ${sites}.`,
    blocked: () => "Für diese Karte gibt es keinen guten Platz mehr. Eine Spende bringt immer 3 Punkte.",
    onYourOwn: () =>
      "Jetzt kennst du alles. Sind höchstens 3 aktive Städte und Häfen offen, kommt nur noch eine Runde; der Hinweis zeigt, was ein Agent täte.",
    last: () =>
      "Dies ist die letzte Runde. Ringe zählen danach nichts mehr, gib sie also aus, wenn du kannst.",
    waiting: ({ name }) => `Dein Plan liegt fest. ${name} plant auch, dann werden alle Pläne aufgedeckt.`,
    watching: ({ name }) => `${name} ist am Zug.`,
    over: () =>
      "Die Schlusswertung zählt die größte Gruppe und die Aufgaben dazu. Du hast ein ganzes Spiel gespielt: Versuche als Nächstes ein Rätsel oder ein Spiel gegen einen anderen Agenten.",
  },
  done: {
    plan: "Gut geplant.",
    place: "Gut eingesetzt: Beides zählt.",
    locked: "Gut geplant.",
    cities: "Gut eingesetzt.",
    league: "So kommt man zum See-Bündnis.",
    leagueNow: "Dein erstes See-Bündnis!",
    alliance: "Jetzt kannst du zwischen Lehen und Heirat wählen.",
    wedding: "Deine erste Heirat. Das Lehen ist verbraucht, die Ringe bleiben.",
    privilege: "Der Ring ist bezahlt, und du bist zuerst dran.",
    turn: "Genommen, bevor es jemand anders konnte.",
    objective: "Das dient deiner Aufgabe.",
    group: "Die Gruppe wächst.",
  },
  otherwise: "Das geht auch. Es gibt nicht nur einen richtigen Weg.",
  coachTitle: "Trainer",
  coachOff: "Trainer ausschalten",
  coachMore: "Alles zeigen, was der Trainer sagt",
  coach: {
    plan:
      "Dein Lehen dieser Runde steht oben. Wähle eine Regionskarte (wo es liegen soll) und eine " +
      "Aktionskarte (was es bedecken darf). Alle Pläne werden zugleich aufgedeckt: A vor B, B vor C.",
    planAgain:
      "Gestrichelte Kreise auf der Karte zeigen die sechs Städte deiner geheimen Aufgabe. Vier zählen am " +
      "Ende 15 Punkte, sechs 35. Drei Häfen eines Meeres sind ein See-Bündnis: 10 Punkte.",
    locked:
      "Die Karten der letzten Runde sind gesperrt, auch die der anderen: Oben steht, welche. So weißt " +
      "du einen Teil dessen, was sie planen können.",
    endNear:
      "Nach Runde 6 und jeder späteren: Sind höchstens 3 aktive Städte und Häfen offen, ist die nächste " +
      "Runde die letzte. Denke an deine Aufgabe und an deine größte Gruppe.",
    place:
      "Zeige auf die Karte: Das Lehen rastet auf einem erlaubten Platz ein. R, das Mausrad oder die Bilder " +
      "drehen es. Wähle einen Platz und klicke auf „Spielen“. Ein Ort zählt 3 in aktiven Regionen, sonst 1.",
    placeAgain:
      "Was sich berührt, bildet eine Gruppe, und die größte zählt am Ende 15 Punkte. Wenn du unsicher " +
      "bist, hole einen Hinweis: Ein Agent zeigt seine besten Plätze auf der Karte.",
    wedding:
      "Mit Karte C kannst du statt des Lehens heiraten: ein Ring, oder zwei auf Nachbarfeldern. Ein Ring " +
      "zählt wie ein kleines Lehen und darf auf fremden Lehen liegen. Du hast sechs für das ganze Spiel.",
    blocked:
      "Die anderen haben dir den Platz genommen: Dieses Lehen passt nirgends, spende es also für 3 Punkte. " +
      "Mit dem Königlichen Privileg bist du vor ihnen dran; Karte C lässt dir ein Heiratsbündnis offen.",
    rings:
      "Dieses Lehen passt nirgends, aber ein Heiratsbündnis geht: ein Ring, oder zwei nebeneinander, auf " +
      "markierten Feldern. Ein Ring zählt wie ein Lehen. Du kannst das Lehen auch für 3 Punkte spenden.",
    last:
      "Dies ist die letzte Runde. Ringe zählen danach nichts mehr, gib sie also aus: für deine Aufgabe, " +
      "die größte Gruppe oder ein See-Bündnis.",
    waiting:
      "Dein Plan liegt fest. Die anderen planen noch, dann werden alle Pläne aufgedeckt.",
    watching:
      "Du schaust bei diesem Spiel zu: Du siehst, was offen auf dem Tisch liegt.",
    over:
      "Die Tabelle zeigt, woher die Punkte kommen. Spiele noch einmal, oder gehe das Spiel durch.",
  },
};
