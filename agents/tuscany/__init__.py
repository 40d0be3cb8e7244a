"""Agents that know The Castles of Tuscany."""

#: Agents that a name stands for, from the weakest to the strongest: where each one is made.
AGENTS = {
    "greedy": "tuscany.greedy:GreedyAgent",
    "planner": "tuscany.planner:PlannerAgent",
    "search": "tuscany.search:SearchAgent",
    "learned": "policies.learned:load_learned",
}
