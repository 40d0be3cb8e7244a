"""Agents that know Gonzaga: its heuristics, its planner, what networks and values read of it."""

#: Agents that a name stands for, from the weakest to the strongest: where each one is made.
AGENTS = {
    "greedy": "gonzaga.greedy:GreedyAgent",
    "planner": "gonzaga.planner:PlannerAgent",
    "search": "gonzaga.search:SearchAgent",
    "learned": "policies.learned:load_learned",
}
